/** Another language. The words come with the page, so that it is loaded anew. */

import { patch } from "./api";
import { alone } from "./here.svelte";
import { keepLanguage, type Language } from "./words";

export async function speak(wish: Language): Promise<void> {
  await patch("/api/me", { language: wish });
  keepLanguage(wish);
  if (alone) location.reload();
  else location.assign(location.pathname);
}
