/** A list that stays at its end when it grows: what scrolls it is the nearest parent that can. */
export function atEnd(size: () => number) {
  return (element: HTMLElement): void => {
    if (size() === 0) return;
    // in a sheet that is just being opened nothing has a size yet
    requestAnimationFrame(() => element.lastElementChild?.scrollIntoView({ block: "nearest" }));
  };
}

/** What begins at its beginning, wherever what stood here before was scrolled to. */
export function atStart(element: HTMLElement): void {
  element.scrollIntoView({ block: "nearest" });
}
