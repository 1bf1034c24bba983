/** Have something in sight; whoever wants nothing to move is there at once. */
export function reveal(what: Element, block: ScrollLogicalPosition): void {
  const still = document.documentElement.dataset.motion === "none";
  what.scrollIntoView({ block, behavior: still ? "instant" : "smooth" });
}
