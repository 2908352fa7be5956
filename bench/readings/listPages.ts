import { pathOf, type Call } from "@metrum/contract/core";
import type { BenchApi } from "../api.ts";
import { applyLoad, type Request } from "../load.ts";
import { atMost, median, percentile, reported, round, type Figure } from "../report.ts";

const limitMs = 30;
const timesKey = 10;
const samples = 30;

/** One kind of list with its requests: searches use another text each time. */
export interface Case<Body extends object> {
  readonly title: string;
  readonly bodies: readonly Body[];
}

/** Milliseconds of lookups by key, after as many that are not counted. */
export async function lookups(api: BenchApi, call: Call, ids: readonly number[]): Promise<number[]> {
  const keys = ids.map((id): Request => ({
    method: "GET",
    path: `/api/${pathOf(call, { id: String(id) })}`,
    token: api.token,
  }));
  await timesOf(api, keys, 3);
  return (await timesOf(api, keys, 3)).flat();
}

export const keyFigures = ({ id }: Call, keyMs: readonly number[]): Figure[] => [
  reported(`${id} by key, p50`, median(keyMs), "ms"),
  reported(`${id} by key, p95`, percentile(keyMs, 0.95), "ms"),
];

/** Limit of the first page of a list, by the lookups of one of its rows. */
export const limitOf = (keyMs: readonly number[]): number => Math.min(limitMs, timesKey * median(keyMs));

/** The slowest cases; without a limit the figures are only reported. */
export function summed(
  how: string,
  list: readonly Case<object>[],
  times: readonly (readonly number[])[],
  limit?: number,
): Figure[] {
  const p95Of = (what: string, each: readonly number[]): Figure => {
    const [title, p95] = [`${what} (p50 ${String(round(median(each)))}), p95`, percentile(each, 0.95)];
    return limit === undefined ? reported(title, p95, "ms") : atMost(title, p95, "ms", limit);
  };
  const slowest = list
    .map(({ title }, n) => p95Of(`  ${title}`, times[n] ?? []))
    .sort((a, b) => b.value - a.value);
  return [p95Of(`${how}, all ${String(list.length)} cases`, times.flat()), ...slowest.slice(0, 8)];
}

/**
 * Milliseconds of first pages by case, each `samples` times: all cases in turn, so that a stall of the machine falls on
 * several cases once instead of on one of them twice.
 */
export async function inARow(api: BenchApi, call: Call, list: readonly Case<object>[]): Promise<number[][]> {
  const requests = Array.from({ length: samples }, (_, n) =>
    list.map(({ bodies }): Request => ({
      method: "POST",
      path: `/api/${pathOf(call)}`,
      token: api.token,
      body: { page: 1, per_page: 25, ...bodies[n % bodies.length] },
    })),
  ).flat();
  const times = (await timesOf(api, requests, 1)).flat();
  return list.map((_, at) => times.filter((_ms, n) => n % list.length === at));
}

async function timesOf(api: BenchApi, requests: readonly Request[], rounds: number) {
  const { times } = await applyLoad({
    port: api.port,
    requests,
    connections: 1,
    count: requests.length * rounds,
  });
  return times;
}
