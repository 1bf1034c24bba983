/** Whether the visitor uses keys or a pointer, as far as his last touch tells. */

let keys = false;
addEventListener("keydown", () => (keys = true), true);
addEventListener("pointerdown", () => (keys = false), true);

export const usesKeys = (): boolean => keys;
