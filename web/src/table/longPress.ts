/** Holding a card enlarges it: a finger or a button held still on it, or the key `i`. */

const LONG = 450; // milliseconds
const FAR = 12; // pixels after which it is a drag

const cardAt = (target: EventTarget | null): string | undefined => {
  const { card, played, shown } =
    (target as Element | null)?.closest<HTMLElement>("[data-card], [data-played], [data-shown]")?.dataset ?? {};
  return card ?? played ?? shown;
};

export function longPress(onlook: (card: string) => void) {
  return (element: HTMLElement): (() => void) => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let start = { x: 0, y: 0 };
    let looked = false; // the click that follows is none
    const stop = () => clearTimeout(timer);
    const listeners: [string, (event: any) => void][] = [
      [
        "pointerdown",
        (event: PointerEvent) => {
          const card = cardAt(event.target);
          looked = false;
          if (card === undefined || event.button !== 0) return;
          start = { x: event.clientX, y: event.clientY };
          stop();
          timer = setTimeout(() => {
            looked = true;
            onlook(card);
          }, LONG);
        },
      ],
      [
        "pointermove",
        (event: PointerEvent) => Math.hypot(event.clientX - start.x, event.clientY - start.y) > FAR && stop(),
      ],
      ["pointerup", stop],
      ["pointercancel", stop],
      ["contextmenu", (event: Event) => cardAt(event.target) !== undefined && event.preventDefault()],
      [
        "click",
        (event: Event) => {
          if (looked) event.stopPropagation();
          looked = false;
        },
      ],
      [
        "keydown",
        (event: KeyboardEvent) => {
          const card = cardAt(event.target);
          if (event.key === "i" && card !== undefined) onlook(card);
        },
      ],
    ];
    for (const [kind, listener] of listeners) element.addEventListener(kind, listener, { capture: true });
    return () => {
      stop();
      for (const [kind, listener] of listeners) element.removeEventListener(kind, listener, { capture: true });
    };
  };
}
