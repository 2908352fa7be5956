import { expect, test } from "vitest";
import { readConfig } from "#config";
import { needsRoot } from "./root.ts";

test.each([
  [{}, undefined],
  [{ METRUM_SERIAL_PORTS: "/dev/ttyUSB0" }, /serial ports/],
  [{ METRUM_SERIAL_PORTS: "/dev/ttyUSB0", METRUM_ROLES: "api,worker" }, undefined],
  [{ METRUM_BRIDGE_PORTS: "1000-1010" }, /METRUM_BRIDGE_PORTS/],
  [{ METRUM_DATABASE_URL: "postgres://me:secret@/metrum?host=/run/postgresql" }, undefined],
  [{ METRUM_DATABASE_URL: "postgres://me@/metrum?host=/run/postgresql" }, /no password/],
  [{ METRUM_DATABASE_URL: "postgres://me@db.example/metrum" }, undefined],
])("a server with %j gives up root unless it needs it later", (env, reason) => {
  const given = needsRoot(readConfig(env));

  if (reason === undefined) expect(given).toBeUndefined();
  else expect(given).toMatch(reason);
});
