/** The service worker: it is brought in once the page is shown, and a new one waits until the visitor wants it. */

import { tellUpdate } from "../lib/here.svelte";
import { keepAll, keepUp } from "./keeping";

const OFTEN = 3_600_000; // milliseconds between two looks for a new page, in a page that stays open

export async function install(): Promise<void> {
  const workers = navigator.serviceWorker;
  const script = new URL(`${import.meta.env.BASE_URL}sw.js`, location.href);
  const registration = await workers.register(script).catch(() => null);
  if (!registration) return; // a browser that wants none
  let wanted = false;
  const tell = (): void => {
    const waiting = registration.waiting;
    if (waiting && workers.controller)
      tellUpdate(() => {
        wanted = true;
        waiting.postMessage("now");
      });
  };
  workers.addEventListener("controllerchange", () => wanted && location.reload());
  registration.addEventListener("updatefound", () => registration.installing?.addEventListener("statechange", tell));
  tell();
  let looked = Date.now();
  document.addEventListener("visibilitychange", () => {
    if (document.hidden || Date.now() - looked < OFTEN) return;
    looked = Date.now();
    void registration.update().catch(() => undefined); // there may be no network
  });
  addEventListener("appinstalled", () => void keepAll().catch(() => undefined));
  await keepUp();
}
