import type { AddressInfo } from "node:net";
import { createSessions } from "../apps/server/src/access/auth/index.ts";
import { buildApp } from "../apps/server/src/app.ts";
import type { Domain } from "../apps/server/src/core/index.ts";
import { domains } from "../apps/server/src/domains.ts";
import { demoPassword, seedAccounts } from "../apps/server/src/access/users/index.ts";
import { startCluster, type BenchCluster } from "./cluster.ts";

/** The whole API on a disposable cluster, listening, with a session of the engineer of the demonstration. */
export interface BenchApi extends BenchCluster {
  readonly port: number;
  readonly token: string;
  readonly companyId: number;
}

export async function startApi(
  more: readonly Domain[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<BenchApi> {
  const cluster = await startCluster(env);
  const { services, dataDir } = cluster;
  const { fastify } = await buildApp(services, {
    resolveSession: createSessions(services),
    domains: [...domains, ...more],
  });
  await seedAccounts(services);
  await fastify.listen({ host: "127.0.0.1", port: 0 });
  const { port } = fastify.server.address() as AddressInfo;
  const email = "engineer@metrum.example";
  const signedIn = await fetch(`http://127.0.0.1:${String(port)}/api/auth/login`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ email, password: demoPassword }),
  });
  const { data } = (await signedIn.json()) as { data: { access_token: string } };
  const { rows } = await services.database.pool.query<{ company_id: number }>(
    "select company_id from users where email = $1",
    [email],
  );
  return {
    services,
    dataDir,
    port,
    token: data.access_token,
    companyId: rows[0]?.company_id ?? 0,
    async stop() {
      await fastify.close();
      await cluster.stop();
    },
  };
}
