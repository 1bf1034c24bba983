/** A file that the house on this device makes, given to the browser to be kept. */

import { send, trouble } from "../lib/api";
import { saveAs } from "../lib/saving";

const NAMED = /filename="([^"]+)"/;

export async function download(address: string): Promise<void> {
  try {
    const answer = await send("GET", address);
    if (!answer.ok) throw await trouble(answer);
    const name = NAMED.exec(answer.headers.get("Content-Disposition") ?? "")?.[1];
    saveAs(await answer.blob(), name ?? "ultimo.txt");
  } catch (failure) {
    alert((failure as Error).message);
  }
}
