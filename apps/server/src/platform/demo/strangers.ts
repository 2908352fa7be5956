import { fromHex } from "@metrum/protocols/core";
import { buildTelegram } from "@metrum/protocols/wmbus";
import type { CompanyId } from "@metrum/vocabulary";
import type { Db } from "#core";
import { companyPrefix, quarantineMessages, type QuarantinedMessage } from "#headend/channels";

const hourSec = 3600;

/** A report of a Vega SI-11: battery, time, temperature, and 16 pulses more each hour on the first input. */
const pulses = (count: number, at: number): Buffer => {
  const report = Buffer.from(`016206${"00".repeat(4)}15${"00".repeat(16)}`, "hex");
  report.writeUInt32LE(at, 3);
  report.writeUInt32LE(10_000 + 16 * count, 8);
  return report;
};

/**
 * Unregistered callers with the messages they have sent: two LoRaWAN counters of a network server, and a
 * neighbour's radio water meter.
 */
export async function seedStrangers(
  db: Db,
  { companyId, now }: { readonly companyId: CompanyId; readonly now: number },
): Promise<void> {
  const times = (count: number) => Array.from({ length: count }, (_, at) => now - (count - at) * hourSec);
  const unknown = { companyId, reason: "unknown device" };
  const counter = (devEui: string, count: number): QuarantinedMessage[] =>
    times(count).map((receivedAt, at) => ({
      ...unknown,
      networkId: devEui,
      receivedAt,
      topic: `${companyPrefix(companyId)}application/1/device/${devEui}/event/up`,
      payload: Buffer.from(
        JSON.stringify({
          deviceInfo: { devEui, applicationId: "1" },
          time: new Date(receivedAt * 1000).toISOString(),
          fPort: 2,
          fCnt: at,
          data: pulses(at, receivedAt).toString("base64"),
        }),
      ),
    }));
  const neighbour = times(3).map((receivedAt, at): QuarantinedMessage => ({
    ...unknown,
    networkId: "dme-68107701-70-07",
    receivedAt,
    topic: "wmbus/37000001",
    payload: buildTelegram(fromHex("0c13 80672900 0b3b 841200 025a 7200"), {
      ...{ manufacturer: "DME", id: "68107701", version: 0x70, medium: 7 },
      ...{ accessNumber: at, security: "none" },
    }),
  }));
  await quarantineMessages(db, [
    ...counter("70b3d58ff1000a17", 9),
    ...counter("70b3d58ff1000a18", 2),
    ...neighbour,
  ]);
}
