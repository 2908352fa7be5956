import { consumers, suppliers } from "@metrum/contract/access";
import { transformers } from "@metrum/contract/accounting";
import type { Call } from "@metrum/contract/core";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useCallback } from "react";

export type Kind = "consumers" | "suppliers" | "transformers";

/** Tabs of the screen. A directory of another domain adds its line, with its own address. */
export const tabs: readonly { readonly id: string; readonly href: string }[] = [
  { id: "consumers", href: "#/cloud/directories/consumers" },
  { id: "suppliers", href: "#/cloud/directories/suppliers" },
  { id: "transformers", href: "#/cloud/directories/transformers" },
  { id: "balance", href: "#/cloud/directories/balance" },
];

/** Calls whose answers show entries of a directory. */
export const refreshed: Readonly<Record<Kind, readonly Call[]>> = {
  consumers: [consumers.list, consumers.get],
  suppliers: [suppliers.list, suppliers.get],
  transformers: [transformers.list, transformers.get],
};

/** Address of an entry; search, filters and page of the open list stay in it. */
export function entryHref(kind: Kind, id: string): string {
  const query = new URLSearchParams(location.hash.split("?")[1] ?? "");
  query.set("id", id);
  return `#/cloud/directories/${kind}?${query.toString()}`;
}

export interface Chosen {
  readonly id: string | null;
  readonly choose: (id: string | null) => void;
}

/** The entry whose card is open, kept in the address beside the state of the list. */
export function useChosen(): Chosen {
  const search: Readonly<Record<string, unknown>> = useSearch({ strict: false });
  const navigate = useNavigate();
  const given = search["id"];
  const choose = useCallback(
    (id: string | null) =>
      void navigate({
        to: ".",
        search: (before: Readonly<Record<string, unknown>>) => ({ ...before, id: id ?? undefined }),
      }),
    [navigate],
  );
  const isId = typeof given === "number" || (typeof given === "string" && /^\d+$/.test(given));
  return { id: isId ? String(given) : null, choose };
}
