import { vi } from "vitest";
import { noteLost, noteReached } from "#lib/connection";
import { snackQueue } from "#ui/snackbar";

class MemoryStorage {
  readonly #items = new Map<string, string>();
  getItem(key: string): string | null {
    return this.#items.get(key) ?? null;
  }
  setItem(key: string, value: string): void {
    this.#items.set(key, value);
  }
  removeItem(key: string): void {
    this.#items.delete(key);
  }
  clear(): void {
    this.#items.clear();
  }
}

/** Removes what earlier tests of this process, in other files too, have said. */
export function closeSnacks(): void {
  for (const each of snackQueue.get()) snackQueue.close(each.id);
}

/**
 * A minimal browser for logic tests: storage, a language on the root element, events of the window, and no
 * message on the screen.
 */
export function stubBrowser(): EventTarget {
  closeSnacks();
  const target = new EventTarget();
  vi.stubGlobal("localStorage", new MemoryStorage());
  vi.stubGlobal("sessionStorage", new MemoryStorage());
  vi.stubGlobal("document", { documentElement: { lang: "", dataset: {} } });
  vi.stubGlobal("self", { origin: "http://metrum.example" });
  vi.stubGlobal("window", { origin: "http://metrum.example", scrollTo: () => undefined });
  vi.stubGlobal("addEventListener", target.addEventListener.bind(target));
  vi.stubGlobal("removeEventListener", target.removeEventListener.bind(target));
  return target;
}

/** One answer of the server in its envelope. */
export function answer(data: unknown, status = 200, extra: object = {}): Response {
  return new Response(JSON.stringify({ data, msg: "", ...extra }), { status });
}

/** The only page of a list. */
export const pageOf = <Row>(data: readonly Row[]) => ({
  data: [...data],
  current_page: 1,
  last_page: 1,
  per_page: 25,
  total: data.length,
});

/** A refusal in its envelope. */
export function refusal(status: number, code: string, msg: string, attributes: object = {}): Response {
  return new Response(JSON.stringify({ msg, data: { msg }, attributes, code }), { status });
}

/** Cuts the connection to the server. Returns the function that restores it. */
export function loseServer(): () => void {
  const before = fetch;
  vi.stubGlobal("fetch", () => Promise.reject(new TypeError("Failed to fetch")));
  noteLost();
  return () => {
    vi.stubGlobal("fetch", before);
    noteReached();
  };
}

/** Answers by the path below /api; other paths get 404. Returns the requests. */
export function stubServer(
  answers: Readonly<Record<string, (body: string) => Response>>,
): readonly Request[] {
  const requests: Request[] = [];
  vi.stubGlobal("fetch", (address: string, init: RequestInit) => {
    requests.push(new Request(new URL(address, "http://metrum.example"), { ...init, signal: null }));
    const path = address.replace(/^\/api\//, "").replace(/\?.*/, "");
    return Promise.resolve(
      answers[path]?.(typeof init.body === "string" ? init.body : "") ??
        refusal(404, "not_found", "Не найдено"),
    );
  });
  return requests;
}

/** Holds the answers to a path back until they are released. */
export function holdBack(path: string): () => void {
  const reply = fetch;
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  vi.stubGlobal("fetch", async (address: string, init: RequestInit) => {
    if (address.includes(path)) await held;
    return reply(address, init);
  });
  return release;
}
