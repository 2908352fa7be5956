import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect as connectSocket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect as connectTls } from "node:tls";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { readCertificate, systemClock, type Certificate } from "#core";
import { testBrokers } from "#testing/peers/broker";
import { makeCertificate } from "#testing/peers/certificate";
import { createConnectionLimiter } from "../bounds.ts";
import type { Broker, BrokerOptions } from "./broker.ts";
import type { MqttMessage } from "./mqttMessage.ts";
import { watchCertificate } from "./certificateWatch.ts";

/** Time limit against hanging, generous for a busy machine. */
const patience = { timeout: 20_000, interval: 10 };

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "metrum-tls-"));
});
afterAll(() => rmSync(folder, { recursive: true }));
const { aBroker: startBroker, aClient: connect, onStop, stop } = testBrokers();
afterEach(stop);

function write({ cert, key }: { readonly cert: string; readonly key: string }) {
  const files = { certFile: join(folder, "cert.pem"), keyFile: join(folder, "key.pem") };
  writeFileSync(files.certFile, cert);
  writeFileSync(files.keyFile, key);
  return files;
}

async function aBroker(given: Partial<BrokerOptions> = {}) {
  const made = makeCertificate();
  const certificate = await readCertificate(write(made));
  const broker = await startBroker({ tls: { port: 0, certificate }, ...given });
  return { broker, certificate };
}

const aClient = (broker: Broker, ca: string, password = "secret") => connect(broker, "c7", { ca, password });

test("messages over TLS are accepted like those of the plain port, from the same accounts", async () => {
  const taken: MqttMessage[] = [];
  const onMessage = (message: MqttMessage) => Promise.resolve(void taken.push(message));
  const { broker, certificate } = await aBroker({ onMessage });
  const client = await aClient(broker, certificate.cert);

  await client.publishAsync("c7/mapped/x", "1", { qos: 1 });

  expect(taken.map(({ companyId, topic }) => [companyId, topic])).toEqual([[7, "c7/mapped/x"]]);
  await expect(aClient(broker, certificate.cert, "wrong")).rejects.toThrow("Not authorized");
  await expect(client.subscribeAsync("c8/#", { qos: 1 })).rejects.toThrow();
});

test("an order reaches a server connected over TLS", async () => {
  const { broker, certificate } = await aBroker();
  const client = await aClient(broker, certificate.cert);
  await client.subscribeAsync("c7/#", { qos: 1 });

  expect(await broker.publish("c7/down", "{}")).toBe(true);
  await vi.waitFor(() => expect(client.received).toEqual(["c7/down {}"]), patience);
});

test("TLS older than 1.2 and clients that do not trust the certificate fail to connect", async () => {
  const { broker, certificate } = await aBroker();
  const over = (maxVersion: "TLSv1.1" | "TLSv1.2") =>
    new Promise((resolve) => {
      const options = { host: "127.0.0.1", port: broker.tlsPort ?? 0, ca: certificate.cert };
      const socket = connectTls({
        ...options,
        minVersion: "TLSv1.1",
        maxVersion,
        ciphers: "ALL:@SECLEVEL=0",
      });
      socket.on("error", () => resolve("refused"));
      socket.on("secureConnect", () => {
        resolve(socket.getProtocol());
        socket.destroy();
      });
    });

  expect([await over("TLSv1.1"), await over("TLSv1.2")]).toEqual(["refused", "TLSv1.2"]);
  await expect(aClient(broker, makeCertificate().cert)).rejects.toThrow();
});

test("the limits of the plain port apply before the TLS handshake, and packets are limited after it", async () => {
  const limiter = createConnectionLimiter(systemClock);
  const { broker, certificate } = await aBroker({ limiter });
  const enter = vi.spyOn(limiter, "enter");
  const client = await aClient(broker, certificate.cert);
  const ended = new Promise((resolve) => client.once("close", () => resolve(true)));
  client.stream.write(Buffer.from([0x30, 0xff, 0xff, 0xff, 0x7f]));
  expect(await ended).toBe(true);

  enter.mockReturnValueOnce(false);
  await expect(aClient(broker, certificate.cert)).rejects.toThrow();

  expect(enter).toHaveBeenCalledTimes(2);
});

test("a broker stops even if a connected client never starts the TLS handshake", async () => {
  const { broker } = await aBroker();
  const socket = connectSocket({ host: "127.0.0.1", port: broker.tlsPort ?? 0 });
  const closed = new Promise((resolve) => socket.once("close", () => resolve("closed")));
  socket.on("error", () => undefined);
  await new Promise((resolve) => socket.once("connect", resolve));

  await broker.stop();

  expect(await closed).toBe("closed");
});

test("a renewed certificate is used without a restart, and an incomplete renewal changes nothing", async () => {
  const { broker, certificate: current } = await aBroker();
  const next = makeCertificate();
  const files = write({ cert: next.cert, key: current.key });
  const renewed: Certificate[] = [];
  const warnings: string[] = [];
  const log = {
    info: () => undefined,
    warn: ({ err }: { readonly err: Error }) => void warnings.push(err.message),
  };
  const onNew = (certificate: Certificate): void => {
    broker.renewCertificate(certificate);
    renewed.push(certificate);
  };
  onStop(watchCertificate({ files, log, current, onNew }, 5));
  await vi.waitFor(() => expect(warnings).toHaveLength(1), patience);
  await aClient(broker, current.cert);

  write(next);
  await vi.waitFor(() => expect(renewed).toHaveLength(1), patience);

  expect((await aClient(broker, next.cert)).connected).toBe(true);
  await expect(aClient(broker, current.cert)).rejects.toThrow();
  expect(warnings[0]).toContain("METRUM_TLS_KEY");
});

test("unusable files are reported with their setting", async () => {
  const { cert, key } = makeCertificate();
  const read = async (given: { readonly cert: string; readonly key: string }) =>
    readCertificate(write(given)).then(
      () => "read",
      (error: unknown) => String(error),
    );

  expect(await read({ cert, key })).toBe("read");
  expect(await read({ cert: "nothing", key })).toContain("METRUM_TLS_CERT: its file holds no certificate");
  expect(await read({ cert, key: "nothing" })).toContain("METRUM_TLS_KEY: its file holds no private key");
  expect(await read({ cert, key: makeCertificate().key })).toContain("METRUM_TLS_KEY: it is not the key");
  await expect(readCertificate({ certFile: join(folder, "no.pem"), keyFile: "" })).rejects.toThrow(
    /METRUM_TLS_CERT: .*no\.pem cannot be read \(ENOENT\)/,
  );
});
