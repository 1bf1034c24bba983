/** How long a page waits for an answer before it says that there is none. */

const LONGEST = 120_000; // milliseconds: the first thought of a small server is slow

/** No answer has come in time. */
export class TimedOut extends Error {}

/** What a promise resolves to, or `TimedOut` after two minutes; `stop` gives up what is no longer waited for. */
export function within<T>(promise: Promise<T>, stop: () => void = () => {}): Promise<T> {
  return new Promise((done, failed) => {
    const timer = setTimeout(() => {
      failed(new TimedOut());
      stop();
    }, LONGEST);
    const ended = (): void => clearTimeout(timer);
    promise.finally(ended).then(done, failed);
  });
}
