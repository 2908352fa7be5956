import pg from "pg";

/** What was sent to the database. */
export interface Statements {
  /** Texts sent since the last call, without values. */
  readonly taken: () => string[];
}

type Query = (this: pg.Client, ...given: readonly unknown[]) => unknown;

/** Counts the statements of every connection that this process opens from now on. */
export function countStatements(): Statements {
  let sent: string[] = [];
  const query = Reflect.get(pg.Client.prototype, "query") as Query;
  const counted: Query = function (first, ...rest) {
    if (typeof first === "string") sent.push(first);
    else if (typeof first === "object" && first && "text" in first) sent.push(String(first.text));
    return query.call(this, first, ...rest);
  };
  Object.assign(pg.Client.prototype, { query: counted });
  return {
    taken() {
      const texts = sent;
      sent = [];
      return texts;
    },
  };
}
