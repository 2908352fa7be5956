import { createServer } from "node:net";
import { expect, test } from "vitest";
import { readConfig } from "#config";
import { portsOf, requirePorts } from "./ports.ts";

const free = {
  METRUM_PORT: "0",
  METRUM_HEALTH_PORT: "0",
  METRUM_MQTT_PORT: "0",
  METRUM_MODEM_PORTS: "0:imei",
};

test("a port in use stops the start with a message that names its variable", async () => {
  const squatter = createServer();
  const taken = await new Promise<number>((resolve) =>
    squatter.listen(0, "127.0.0.1", () => {
      const address = squatter.address();
      resolve(typeof address === "object" && address ? address.port : 0);
    }),
  );
  const startWith = (env: Record<string, string>) => requirePorts(readConfig({ ...free, ...env }));

  await expect(startWith({ METRUM_PORT: String(taken) })).rejects.toThrow(/METRUM_PORT/);
  await expect(startWith({ METRUM_MQTT_PORT: String(taken) })).rejects.toThrow(/METRUM_MQTT_PORT/);
  await expect(startWith({ METRUM_MODEM_PORTS: `${taken}:imei` })).rejects.toThrow(/METRUM_MODEM_PORTS/);
  await expect(startWith({ METRUM_ROLES: "worker", METRUM_HEALTH_PORT: String(taken) })).rejects.toThrow(
    /METRUM_HEALTH_PORT/,
  );
  squatter.close();
  await expect(startWith({})).resolves.toBeUndefined();
});

test("a process binds only the ports of its roles", () => {
  const variables = (roles: string) =>
    portsOf(readConfig({ METRUM_ROLES: roles })).map(({ variable }) => variable);

  expect(variables("worker")).toEqual(["METRUM_HEALTH_PORT"]);
  expect(variables("api")).toEqual(["METRUM_PORT"]);
  expect(variables("broker")).toEqual(["METRUM_HEALTH_PORT", "METRUM_MQTT_PORT", "METRUM_MODEM_PORTS"]);
});

test("the TLS port is one of the ports of the embedded broker, and of no external one", () => {
  const tls = { METRUM_MQTTS_PORT: "8883", METRUM_TLS_CERT: "cert.pem", METRUM_TLS_KEY: "key.pem" };
  const variables = (env: Record<string, string>) =>
    portsOf(readConfig({ METRUM_ROLES: "broker", ...tls, ...env })).map(({ variable }) => variable);

  expect(variables({})).toContain("METRUM_MQTTS_PORT");
  expect(variables({ METRUM_MQTT_URL: "mqtt://broker.example" })).toEqual([
    "METRUM_HEALTH_PORT",
    "METRUM_MODEM_PORTS",
  ]);
});
