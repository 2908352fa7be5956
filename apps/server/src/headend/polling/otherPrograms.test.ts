import { modbus, type RegisterRow } from "@metrum/protocols/modbus";
import { scalePlan, startPark } from "@metrum/simulator";
import { expect, test } from "vitest";
import { systemClock } from "#core";
import { createLines, tcpLine } from "#headend/channels";
import { lineModel, recordExchange } from "#headend/exchanges";
import { hasMbpoll, hasPymodbus, openPymodbus, pollFloats } from "#testing/peers/modbusTools";
import { converse } from "#headend/dialogue";

const umg96rme = 106;

async function aConverter() {
  const [device] = scalePlan({ count: 1, mix: "modems", seed: 3 }).devices;
  if (!device) throw new Error("an empty plan");
  return startPark(
    {
      baseStations: [],
      gateways: [{ key: "c", modelId: 603, name: "C-1", place: "", deviceID: "C1", port: 0 }],
      devices: [{ ...device, modelId: umg96rme, gateway: "c", insideAddr: "1" }],
    },
    { host: "127.0.0.1", ports: { modem: 0 }, faults: { delayMs: [0, 1] }, now: () => 1_795_251_600 },
  );
}

const rows = [
  { address: 19_000, field: "voltage1", table: "holding", type: "f32", msgType: 2 },
  { address: 19_002, field: "voltage2", table: "holding", type: "f32", msgType: 2 },
  { address: 40, field: "tariff0", table: "input", type: "f32", msgType: 1, scale: 0.001 },
] as const satisfies readonly RegisterRow[];

async function readBy(port: number, ofRows: readonly RegisterRow[]) {
  const lines = createLines({
    clock: systemClock,
    claim: () => Promise.resolve(true),
    release: () => Promise.resolve(),
  });
  const exchange = recordExchange(systemClock);
  const driver = modbus({ variant: "tcp", rows: ofRows });
  try {
    const target = { key: tcpLine("127.0.0.1", port), tcp: { host: "127.0.0.1", port } };
    const readings = await lines.use(target, (channel) =>
      converse(driver.poll({ kind: "now" }, { insideAddr: "1", deviceID: "" }), {
        channel,
        clock: systemClock,
        exchange,
      }),
    );
    return { readings, exchange };
  } finally {
    await lines.closeAll();
  }
}

const kinds = [
  { name: "mbpoll, the master of the Debian package mbpoll", isHere: hasMbpoll },
  { name: "pymodbus, the slave of the Debian package python3-pymodbus", isHere: hasPymodbus },
];

test.each(kinds.filter(({ isHere }) => !isHere))(
  "$name is not installed here and was not tested",
  ({ isHere }) => {
    expect(isHere).toBe(false);
  },
);

if (hasMbpoll)
  test("mbpoll reads our simulated meter over Modbus TCP", async () => {
    const park = await aConverter();
    try {
      const [meter] = park.devices;
      const port = park.converters.get("c")?.port ?? 0;

      const volts = await pollFloats({ port, unit: 1, address: 19_000, count: 3 });

      const state = meter?.stateAt(1_795_251_600);
      expect(volts).toHaveLength(3);
      for (const [at, value] of volts.entries())
        expect(value).toBeCloseTo(state?.(`voltage${at + 1}`) ?? 0, 2);
    } finally {
      await park.stop();
    }
  });

if (hasPymodbus)
  test("our driver reads a server of pymodbus over Modbus TCP", async () => {
    const slave = await openPymodbus([
      [19_000, 230.1],
      [19_002, 231.4],
      [40, 12_345_600],
    ]);
    try {
      const { readings, exchange } = await readBy(slave.port, rows);

      expect(readings).toEqual([
        { msgType: 1, at: null, values: { tariff0: 12_345.6 } },
        { msgType: 2, at: null, values: { voltage1: 230.1, voltage2: 231.4 } },
      ]);
      expect(exchange.retries()).toBe(0);
    } finally {
      await slave.close();
    }
  });

if (hasPymodbus)
  test("a register that pymodbus does not have is refused with its exception", async () => {
    const slave = await openPymodbus([[19_000, 230.1]]);
    try {
      const answer = readBy(slave.port, [{ ...rows[1], address: 500 }]);

      await expect(answer).rejects.toMatchObject({ name: "ProtocolError", kind: "refused" });
    } finally {
      await slave.close();
    }
  });

test("the model whose registers are read here is in the catalogue", () => {
  expect(lineModel(umg96rme)?.driver.protocol).toBe("modbus-tcp");
});
