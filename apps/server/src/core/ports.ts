import { createServer } from "node:net";
import type { Config } from "#config";

/** A TCP port that a process with these settings listens on, and the variable that sets it. */
export interface Port {
  readonly variable: string;
  readonly host: string;
  readonly port: number;
}

/** All ports of the roles of this process. */
export function portsOf(config: Config): Port[] {
  const { host, port, healthPort, deviceHost, mqttUrl, mqttPort, mqtts, modemPorts, roles } = config;
  const own = roles.includes("api")
    ? [{ variable: "METRUM_PORT", host, port }]
    : [{ variable: "METRUM_HEALTH_PORT", host, port: healthPort }];
  if (!roles.includes("broker")) return own;
  const embedded = [
    { variable: "METRUM_MQTT_PORT", host: deviceHost, port: mqttPort },
    ...(mqtts ? [{ variable: "METRUM_MQTTS_PORT", host: deviceHost, port: mqtts.port }] : []),
  ];
  const mqtt = mqttUrl === undefined ? embedded : [];
  const modems = modemPorts.map((each) => ({
    variable: "METRUM_MODEM_PORTS",
    host: deviceHost,
    port: each.port,
  }));
  return [...own, ...mqtt, ...modems];
}

/** Error code when the port cannot be opened (EADDRINUSE, EACCES, ...); undefined when it can. */
export function whyClosed({ host, port }: Port): Promise<string | undefined> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.on("error", (error) => resolve("code" in error ? String(error.code) : error.message));
    probe.listen(port, host, () => probe.close(() => resolve(undefined)));
  });
}

/** Aborts a start before anything is changed. Errors: Error that names the port and its variable. */
export async function requirePorts(config: Config): Promise<void> {
  for (const port of portsOf(config)) {
    const reason = await whyClosed(port);
    if (reason === undefined) continue;
    const what = reason === "EADDRINUSE" ? "is taken by another program" : `cannot be used (${reason})`;
    throw new Error(
      `Port ${String(port.port)} on ${port.host} ${what}. Set ${port.variable} to another one, or end that program.`,
    );
  }
}
