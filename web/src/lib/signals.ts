/** How a page tells that it is the visitor's turn: in its title always, and by what the visitor has switched on. */

export type Likes = { sound: boolean; vibrate: boolean; notify: boolean };
export type Signals = Likes;

const WAITED = 2_000; // milliseconds after which a turn is worth a sound: nobody wants one for each card
const BUZZ = [60, 40, 60]; // milliseconds on, off, on
const TONE = { first: 660, second: 880, seconds: 0.09, loud: 0.08 };

/** What a turn that begins sets off; `waited` are the milliseconds since the visitor's last one. */
export function signalsFor(likes: Likes, hidden: boolean, waited: number): Signals {
  const worth = hidden || waited >= WAITED;
  return {
    sound: likes.sound && worth,
    vibrate: likes.vibrate && worth,
    notify: likes.notify && hidden,
  };
}

/** Set signals off, as far as the browser can. */
export function signal({ sound, vibrate, notify }: Signals, title: string, body: string): void {
  if (sound) tone();
  if (vibrate) globalThis.navigator?.vibrate?.(BUZZ);
  if (notify && globalThis.Notification?.permission === "granted") announce(title, body);
}

/** Ask whether notifications may be shown; asked only when the visitor switches them on. */
export async function mayNotify(): Promise<boolean> {
  if (!globalThis.Notification) return false;
  return (await Notification.requestPermission()) === "granted";
}

let audio: AudioContext | null = null;

/** Two short notes, the second higher. */
export function tone(): void {
  try {
    audio ??= new AudioContext();
    void audio.resume();
    [TONE.first, TONE.second].forEach((pitch, at) => note(audio!, pitch, audio!.currentTime + at * TONE.seconds));
  } catch {
    // a browser without sound
  }
}

function note(audio: AudioContext, pitch: number, at: number): void {
  const oscillator = audio.createOscillator();
  const volume = audio.createGain();
  oscillator.frequency.value = pitch;
  volume.gain.setValueAtTime(TONE.loud, at);
  volume.gain.exponentialRampToValueAtTime(0.001, at + TONE.seconds);
  oscillator.connect(volume).connect(audio.destination);
  oscillator.start(at);
  oscillator.stop(at + TONE.seconds);
}

function announce(title: string, body: string): void {
  try {
    const shown = new Notification(title, { body, tag: "ultimo-turn" });
    shown.onclick = () => {
      window.focus();
      shown.close();
    };
  } catch {
    // some phones show notifications only for an installed page
  }
}
