/** Who the visitor is; whoever comes for the first time becomes a guest. */

import type { Me } from "../protocol";
import { post } from "./api";
import { keepLanguage, language } from "./words";

let me = $state<Me | null>(null);
let entering: Promise<Me> | null = null;

/** The visitor as far as he is known already. */
export function visitor(): Me | null {
  return me;
}

/** Come in, once; every page may ask for it. */
export function enter(): Promise<Me> {
  keepLanguage(language);
  entering ??= post<Me>("/api/enter", { language }).then(become, (failure: unknown) => {
    entering = null;
    throw failure;
  });
  return entering;
}

/** Come in again, where another house answers now. */
export function enterAgain(): Promise<Me> {
  entering = null;
  return enter();
}

/** Be another, as after a log-in or a new name. */
export function become(other: Me): Me {
  me = other;
  return other;
}
