import { keepPreviousData, queryOptions, useQuery } from "@tanstack/react-query";
import type { Call, InputOf, ReplyOf } from "@metrum/contract/core";
import type { ApiError } from "./apiError.ts";
import { queryClient } from "./queryClient.ts";
import { request } from "./request.ts";

export interface CallOptions {
  readonly isEnabled?: boolean;
  /** The panel that shows the data shows the failure too: no snackbar. */
  readonly isQuiet?: boolean;
  /** Milliseconds for which an answer is taken from the cache. */
  readonly freshMs?: number;
  readonly everyMs?: number;
  /** While a changed input is fetched, the previous answer stays. */
  readonly keepsPrevious?: boolean;
}

/** Cache key of an answer; without input, of all answers to the call. */
export function keyOf<C extends Call>(definition: C, input?: InputOf<C>): readonly unknown[] {
  return [definition.method, definition.path, ...(input === undefined ? [] : [input])];
}

export function callOptions<C extends Call>(definition: C, input: InputOf<C>, options: CallOptions = {}) {
  return queryOptions<ReplyOf<C>, ApiError>({
    queryKey: keyOf(definition, input),
    queryFn: async ({ signal }) => (await request(definition, input, { signal })).data,
    meta: { isQuiet: options.isQuiet ?? false },
    enabled: options.isEnabled ?? true,
    ...(options.freshMs === undefined ? {} : { staleTime: options.freshMs }),
    ...(options.everyMs === undefined ? {} : { refetchInterval: options.everyMs }),
    ...(options.keepsPrevious ? { placeholderData: keepPreviousData } : {}),
  });
}

/** Makes any call of the contract: typed by it, keyed by method, path and input. */
export function useCall<C extends Call>(definition: C, input: InputOf<C>, options: CallOptions = {}) {
  return useQuery(callOptions(definition, input, options));
}

/** Invalidates the answers to these calls. */
export async function refetch(...definitions: readonly Call[]): Promise<void> {
  await Promise.all(definitions.map((each) => queryClient.invalidateQueries({ queryKey: keyOf(each) })));
}
