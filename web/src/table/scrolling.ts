/** A list that stays at its end when it grows: what scrolls it is the nearest parent that can. */
export function atEnd(size: () => number) {
  return (element: HTMLElement): void => {
    if (size() > 0) element.lastElementChild?.scrollIntoView({ block: "nearest" });
  };
}
