import pg from "pg";

/** What was sent to the database. */
export interface Statements {
  /** Texts sent since the last call, without values, and the milliseconds until each was answered. */
  readonly taken: () => { readonly text: string; readonly ms: number }[];
}

type Query = (this: pg.Client, ...given: readonly unknown[]) => unknown;

/** Follows the statements of every connection that this process opens. */
export function followStatements(): Statements {
  let sent: { text: string; ms: number }[] = [];
  const query = Reflect.get(pg.Client.prototype, "query") as Query;
  const followed: Query = function (first, ...rest) {
    const text =
      typeof first === "string"
        ? first
        : typeof first === "object" && first && "text" in first
          ? String(first.text)
          : undefined;
    const answer = query.call(this, first, ...rest);
    if (text === undefined) return answer;
    const statement = { text, ms: 0 };
    const startedMs = performance.now();
    sent.push(statement);
    if (answer instanceof Promise)
      answer.then(
        () => (statement.ms = performance.now() - startedMs),
        () => undefined,
      );
    return answer;
  };
  Object.assign(pg.Client.prototype, { query: followed });
  return {
    taken() {
      const taken = sent;
      sent = [];
      return taken;
    },
  };
}
