import { createServer, type AddressInfo } from "node:net";
import type { DeviceAddress } from "@metrum/protocols/core";
import { dlms, type DlmsOptions } from "@metrum/protocols/dlms";

/**
 * A meter that requires GMAC and refuses replayed invocation counters; no model of the catalogue does yet.
 */
export const guardedMeter: DlmsOptions = {
  transport: "wrapper",
  client: 1,
  authentication: { kind: "gmac" },
  server: { logical: 1, bytes: 1, physical: "none" },
  resource: "electricity",
  clock: { utcOffsetMinutes: 0 },
  registers: [
    { obis: "1.0.1.8.0.255", field: "tariff0", msgType: 1 },
    { obis: "1.0.32.7.0.255", field: "voltage1", msgType: 2 },
  ],
};

export const guardedAddress: DeviceAddress = {
  insideAddr: "1",
  deviceID: "77000001",
  keys: {
    encryption: "000102030405060708090a0b0c0d0e0f",
    authentication: "d0d1d2d3d4d5d6d7d8d9dadbdcdddedf",
  },
};

export interface GuardedMeter {
  readonly port: number;
  /** Ciphered messages received, and how many of them had a counter not above all before. */
  readonly heard: () => { readonly messages: number; readonly repeated: number };
  readonly close: () => void;
}

const headerBytes = 8;

/**
 * The meter behind a TCP port, for one client at a time; its counters survive connections, as those of a real
 * meter.
 */
export async function startGuardedMeter(): Promise<GuardedMeter> {
  const meter = dlms(guardedMeter).respond(
    guardedAddress,
    () => 230,
    () => Math.floor(Date.now() / 1000),
  );
  let highest = 0;
  let messages = 0;
  let repeated = 0;
  const server = createServer({ noDelay: true }, (socket) => {
    socket.on("error", () => undefined);
    socket.on("data", (bytes) => {
      const counter = counterOf(bytes.subarray(headerBytes));
      if (counter !== undefined) {
        messages += 1;
        if (counter <= highest) repeated += 1;
        highest = Math.max(highest, counter);
      }
      for (const answer of meter.receive(bytes)) socket.write(answer);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    heard: () => ({ messages, repeated }),
    close: () => server.close(),
  };
}

/**
 * Invocation counter of a ciphered message, parsed independently of the code under test. Layout: tag C8 to
 * CB, length (one byte, or 81 and one), security control 30, counter of 4 bytes, high byte first. In AARQ the
 * initiate request: BE, length, 04, length, 21, length, 30, counter.
 */
function counterOf(apdu: Buffer): number | undefined {
  const tag = apdu[0] ?? 0;
  const from = tag === 0x60 ? initiateIn(apdu) : tag >= 0xc8 && tag <= 0xcb ? 0 : undefined;
  if (from === undefined) return undefined;
  const control = from + (apdu[from + 1] === 0x81 ? 3 : 2);
  return apdu[control] === 0x30 && apdu.length >= control + 5 ? apdu.readUInt32BE(control + 1) : undefined;
}

function initiateIn(aarq: Buffer): number | undefined {
  const at = aarq.findIndex((byte, n) => byte === 0xbe && aarq[n + 2] === 0x04 && aarq[n + 4] === 0x21);
  return at < 0 ? undefined : at + 4;
}
