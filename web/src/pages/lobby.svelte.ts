/** The lobby, asked for again and again while somebody looks. */
import { get } from "../lib/api";
import type { Lobby } from "../protocol";

const EVERY_MS = 5000;

/** Follows the lobby while the page is in sight; to be called once when a component is made. */
export function followed(): { readonly lobby: Lobby | null; readonly trouble: string } {
  let lobby = $state<Lobby | null>(null);
  let trouble = $state("");

  async function ask() {
    if (document.hidden) return;
    try {
      lobby = await get<Lobby>("/api/tables");
      trouble = "";
    } catch (failure) {
      trouble = (failure as Error).message;
    }
  }

  $effect(() => {
    void ask();
    const timer = setInterval(ask, EVERY_MS);
    document.addEventListener("visibilitychange", ask);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", ask);
    };
  });

  return {
    get lobby() {
      return lobby;
    },
    get trouble() {
      return trouble;
    },
  };
}
