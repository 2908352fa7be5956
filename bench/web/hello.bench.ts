import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { call, Nothing } from "@metrum/contract/core";
import { serve } from "../../apps/server/src/core/index.ts";
import { startApi } from "../api.ts";
import { applyLoad, type Measured, type Request } from "../load.ts";
import { atLeast, median, reported, type Bench } from "../report.ts";

const rounds = 5;
const seconds = 2;
const connections = 16;

const calls = {
  hello: call({
    id: "bench.hello",
    method: "GET",
    path: "bench/hello",
    right: "4:read",
    reach: "branch",
    summary: "Nothing but what every call does",
    reply: Nothing,
  }),
};

export const bench: Bench = {
  title: "a call with sign-in and rights that does nothing, against bare node:http",
  async run() {
    const api = await startApi([{ name: "bench", calls: (on) => serve(on, calls, { hello: () => ({}) }) }]);
    const bare = createServer((_, response) => {
      const text = JSON.stringify({ data: {}, msg: "" });
      response.setHeader("content-type", "application/json; charset=utf-8");
      response.setHeader("content-length", Buffer.byteLength(text));
      response.end(text);
    });
    await new Promise<void>((resolve) => bare.listen(0, "127.0.0.1", resolve));
    const ask = (port: number, request: Request): Promise<Measured> =>
      applyLoad({ port, requests: [request], connections, seconds });
    try {
      const bareRates: number[] = [];
      const apiRates: number[] = [];
      const request = { method: "GET", path: "/api/bench/hello", token: api.token };
      await ask(api.port, request);
      for (let round = 0; round < rounds; round++) {
        bareRates.push((await ask((bare.address() as AddressInfo).port, request)).perSecond);
        apiRates.push((await ask(api.port, request)).perSecond);
      }
      const shares = apiRates.map((rate, at) => rate / (bareRates[at] ?? rate));
      return [
        reported("bare node:http", median(bareRates), "requests/s"),
        reported("API", median(apiRates), "requests/s"),
        atLeast("API, of bare node:http (median of 5 turns)", median(shares), "x", 0.4),
      ];
    } finally {
      bare.close();
      await api.stop();
    }
  },
};
