import { listFileBounds } from "@metrum/contract/core";
import type { FoundPage } from "./fragments/foundPage.ts";

/** Rows of a list from `offset` on, `limit` at most. */
interface Part {
  readonly limit: number;
  readonly offset: number;
}

/**
 * Ids of the lists that one file is written from. A page that is found by itself walks over all rows before it, so
 * each list is found whole with its first page and kept for the others: 8 bytes a row.
 */
export class WholeLists {
  readonly #lists = new Map<string, Promise<FoundPage<number>>>();

  /** Cuts a part out of the list of this key, which `find` answers whole. */
  async page<Id extends number>(
    key: string,
    { limit, offset }: Part,
    find: (whole: Part) => Promise<FoundPage<Id>>,
  ): Promise<FoundPage<Id>> {
    const known = this.#lists.get(key) as Promise<FoundPage<Id>> | undefined;
    const list = known ?? find({ limit: listFileBounds.rows, offset: 0 });
    this.#lists.set(key, list);
    const { total, ids } = await list;
    return { total, ids: ids.slice(offset, offset + limit) };
  }
}
