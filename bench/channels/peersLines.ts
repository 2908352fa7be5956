import { createServer, type AddressInfo } from "node:net";
import { modbus, type RegisterRow } from "@metrum/protocols/modbus";
import { scalePlan, startPark, type Park } from "@metrum/simulator";
import { systemClock } from "../../apps/server/src/core/index.ts";
import { createLines, tcpLine } from "../../apps/server/src/headend/channels/index.ts";
import { converse } from "../../apps/server/src/headend/dialogue/index.ts";
import { recordExchange } from "../../apps/server/src/headend/exchanges/index.ts";
import { pollFloats } from "../../apps/server/src/testing/peers/modbusTools.ts";
import { globalPackage, globalVersion, mustEqual, versionOf, type Peer } from "./peers.ts";

const at = 1_795_251_600;
const [analyser, heatMeter] = [106, 201];
const firstVoltage = 19_000;
const voltages = [230.1, 231.4, 229.8];

/** Runs the work with a simulated meter of the model, at address 1 behind a converter. */
async function withMeter(
  modelId: number,
  work: (port: number, meter: Park["devices"][number]) => Promise<void>,
): Promise<void> {
  const [device] = scalePlan({ count: 1, mix: "modems", seed: 3 }).devices;
  if (!device) throw new Error("an empty plan");
  const park = await startPark(
    {
      baseStations: [],
      gateways: [{ key: "c", modelId: 603, name: "C-1", place: "", deviceID: "C1", port: 0 }],
      devices: [{ ...device, modelId, gateway: "c", insideAddr: "1", deviceID: "33910001" }],
    },
    { host: "127.0.0.1", ports: { modem: 0 }, faults: { delayMs: [0, 1] }, now: () => at },
  );
  try {
    const [meter] = park.devices;
    if (!meter) throw new Error("a park without a meter");
    await work(park.converters.get("c")?.port ?? 0, meter);
  } finally {
    await park.stop();
  }
}

const rounded = (values: readonly number[]): string[] => values.map((value) => value.toFixed(1));

function mustBeVoltages(values: readonly number[], { stateAt }: Park["devices"][number]): void {
  const state = stateAt(at);
  mustEqual(rounded(values), rounded([state("voltage1"), state("voltage2"), state("voltage3")]), "voltages");
}

interface ModbusClient {
  connectTCP(host: string, options: { readonly port: number }): Promise<void>;
  setID(unit: number): void;
  readHoldingRegisters(address: number, count: number): Promise<{ readonly buffer: Buffer }>;
  close(done: () => void): void;
}

interface ModbusServer {
  on(event: "initialized", happens: () => void): void;
  close(done: () => void): void;
}

interface ModbusSerial {
  new (): ModbusClient;
  readonly ServerTCP: new (
    registers: { readonly getHoldingRegister: (address: number) => number },
    options: { readonly host: string; readonly port: number; readonly unitID: number },
  ) => ModbusServer;
}

const modbusSerial = (): ModbusSerial => globalPackage("modbus-serial") as ModbusSerial;

async function readByClient(port: number): Promise<number[]> {
  const client = new (modbusSerial())();
  await client.connectTCP("127.0.0.1", { port });
  try {
    client.setID(1);
    const { buffer } = await client.readHoldingRegisters(firstVoltage, 2 * voltages.length);
    return voltages.map((_, each) => buffer.readFloatBE(4 * each));
  } finally {
    await new Promise<void>((resolve) => client.close(resolve));
  }
}

/** A port that is free; the server of the package takes no port 0. */
function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, "127.0.0.1", () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => resolve(port));
    });
  });
}

async function withServer(work: (port: number) => Promise<void>): Promise<void> {
  const registers = Buffer.alloc(4 * voltages.length);
  for (const [each, value] of voltages.entries()) registers.writeFloatBE(value, 4 * each);
  const port = await freePort();
  const { ServerTCP } = modbusSerial();
  const server = new ServerTCP(
    { getHoldingRegister: (address) => registers.readUInt16BE(2 * (address - firstVoltage)) },
    { host: "127.0.0.1", port, unitID: 1 },
  );
  await new Promise<void>((resolve) => server.on("initialized", resolve));
  try {
    await work(port);
  } finally {
    await new Promise<void>((resolve) => server.close(resolve));
  }
}

const rows = voltages.map((_, each) => ({
  ...{ address: firstVoltage + 2 * each, field: (["voltage1", "voltage2", "voltage3"] as const)[each] },
  ...{ table: "holding", type: "f32", msgType: 2 },
})) as readonly RegisterRow[];

async function readByDriver(port: number): Promise<unknown> {
  const lines = createLines({
    clock: systemClock,
    claim: () => Promise.resolve(true),
    release: () => Promise.resolve(),
  });
  const driver = modbus({ variant: "tcp", rows });
  try {
    const target = { key: tcpLine("127.0.0.1", port), tcp: { host: "127.0.0.1", port } };
    return await lines.use(target, (channel) =>
      converse(driver.poll({ kind: "now" }, { insideAddr: "1", deviceID: "" }), {
        ...{ channel, clock: systemClock, exchange: recordExchange(systemClock) },
      }),
    );
  } finally {
    await lines.closeAll();
  }
}

/** The answer of a meter, as libmbus shows it. */
interface MbusAnswer {
  readonly SlaveInformation: { readonly Id: number; readonly Manufacturer: string };
  readonly DataRecord: readonly { readonly Unit: string; readonly Value: number | string }[];
}

type MbusMaster = new (options: {
  readonly host: string;
  readonly port: number;
  readonly timeout: number;
}) => {
  connect(done: (error: Error | null) => void): void;
  getData(address: number, done: (error: Error | null, data: MbusAnswer) => void): void;
  close(done: (error: Error | null) => void): void;
};

const settled =
  (resolve: () => void, reject: (error: Error) => void) =>
  (error: Error | null): void =>
    error ? reject(error) : resolve();

async function readByLibmbus(port: number): Promise<MbusAnswer> {
  const master = new (globalPackage("node-mbus") as MbusMaster)({ host: "127.0.0.1", port, timeout: 10_000 });
  await new Promise<void>((resolve, reject) => master.connect(settled(resolve, reject)));
  try {
    return await new Promise((resolve, reject) =>
      master.getData(1, (error, data) => (error ? reject(error) : resolve(data))),
    );
  } finally {
    await new Promise<void>((resolve, reject) => master.close(settled(resolve, reject)));
  }
}

/** Units as libmbus names them, and the field and factor of our value. */
const heatRecords = [
  ["Volume (1e-2  m^3)", "V_in", 100],
  ["Flow temperature (1e-2 deg C)", "T_in", 100],
  ["Return temperature (1e-2 deg C)", "T_out", 100],
  ["Volume flow (m m^3/h)", "Q_in", 1000],
] as const;

export const linePeers: readonly Peer[] = [
  {
    name: "mbpoll (libmodbus) reads a simulated meter over Modbus TCP",
    command: "mbpoll -m tcp -p PORT -a 1 -t 4:float -B -0 -1 -r 19000 -c 3 -o 5 127.0.0.1",
    version: () => versionOf("/usr/bin/mbpoll", ["-V"]),
    meet: () =>
      withMeter(analyser, async (port, meter) => {
        const count = voltages.length;
        mustBeVoltages(await pollFloats({ port, unit: 1, address: firstVoltage, count }), meter);
      }),
  },
  {
    name: "modbus-serial reads a simulated meter over Modbus TCP",
    command: "client.connectTCP(HOST, { port }), client.readHoldingRegisters(19000, 6)",
    version: () => globalVersion("modbus-serial"),
    meet: () => withMeter(analyser, async (port, meter) => mustBeVoltages(await readByClient(port), meter)),
  },
  {
    name: "our driver reads a server of modbus-serial",
    command: "new ModbusRTU.ServerTCP({ getHoldingRegister }, { host, port, unitID: 1 })",
    version: () => globalVersion("modbus-serial"),
    meet: () =>
      withServer(async (port) => {
        const [voltage1, voltage2, voltage3] = voltages;
        mustEqual(
          await readByDriver(port),
          [{ msgType: 2, at: null, values: { voltage1, voltage2, voltage3 } }],
          "readings",
        );
      }),
  },
  {
    name: "libmbus (node-mbus) reads a simulated heat meter over TCP",
    command: "new MbusMaster({ host, port, timeout }).getData(1)",
    version: () => globalVersion("node-mbus", "build/Release/mbus.node"),
    meet: () =>
      withMeter(heatMeter, async (port, { stateAt }) => {
        const { SlaveInformation: slave, DataRecord: records } = await readByLibmbus(port);
        mustEqual([slave.Id, slave.Manufacturer], [33_910_001, "KAM"], "meter");
        for (const [unit, field, factor] of heatRecords) {
          const value = records.find(({ Unit }) => Unit === unit)?.Value;
          mustEqual(value, Math.round(stateAt(at)(field) * factor), unit);
        }
        mustEqual(records.at(-1)?.Value, new Date(at * 1000).toISOString().slice(0, -5), "clock");
      }),
  },
];
