import { once } from "node:events";
import { connect } from "node:net";
import { expect, test } from "vitest";
import { buildHealth } from "./app.ts";
import { openTestApi } from "#testing/api";

test("a process without the role api serves liveness, readiness and health, and nothing else", async () => {
  const { services, close } = await openTestApi();
  const health = buildHealth(services);
  const address = new URL(await health.listen({ host: "127.0.0.1", port: 0 }));
  const ask = (path: string, init?: RequestInit) => fetch(new URL(path, address), init);

  const answers = await Promise.all(
    ["/healthz", "/readyz", "/metrics", "/api/auth/login", "/"].map((path) => ask(path)),
  );
  const forwarded = await ask("/metrics", { headers: { "x-forwarded-for": "198.51.100.7" } });

  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 404, 404]);
  expect(await answers[2]?.text()).toContain("process_cpu_seconds_total");
  expect(forwarded.status).toBe(404);
  await health.close();
  const refused = connect({ host: "127.0.0.1", port: Number(address.port) });
  await once(refused, "error");
  await close();
});

test("API-024 a metric is called _total if it is a counter, and only then, as Prometheus reads names", async () => {
  const { services, close } = await openTestApi();
  services.metrics.add([{ name: "metrum_things_total", help: "Things", kind: "counter", read: () => 1 }]);
  const health = buildHealth(services);

  const { body } = await health.inject("/metrics");

  const kinds = [...body.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = "", kind]) => ({ name, kind }));
  expect(kinds).toContainEqual({ name: "metrum_things_total", kind: "counter" });
  for (const { name, kind } of kinds) expect(name.endsWith("_total"), name).toBe(kind === "counter");
  await health.close();
  await close();
});
