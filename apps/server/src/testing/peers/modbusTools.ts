import { execFile, spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { promisify } from "node:util";

const run = promisify(execFile);
const mbpoll = "/usr/bin/mbpoll";
const python = "/usr/bin/python3";

/** Whether the Debian package `mbpoll` is installed: an independent Modbus master. */
export const hasMbpoll = existsSync(mbpoll);

/** Whether the Debian package `python3-pymodbus` (3.0) is installed: an independent Modbus slave. */
export const hasPymodbus =
  existsSync(python) &&
  spawnSync(python, ["-c", "import pymodbus.datastore"], { stdio: "ignore" }).status === 0;

/**
 * Float32 values, high word first, that mbpoll reads from holding registers of a Modbus TCP device. Rejects
 * on failure.
 */
export async function pollFloats(of: {
  readonly port: number;
  readonly unit: number;
  readonly address: number;
  readonly count: number;
}): Promise<number[]> {
  const { stdout } = await run(mbpoll, [
    ...["-m", "tcp", "-p", String(of.port), "-a", String(of.unit), "-t", "4:float", "-B", "-0", "-1"],
    ...["-r", String(of.address), "-c", String(of.count), "-o", "5", "127.0.0.1"],
  ]);
  return [...stdout.matchAll(/^\[\d+\]:\s+(\S+)$/gm)].map(([, value]) => Number(value));
}

/** Serial lines are not used here, so it need not find the packages for them. */
const slave = `
import asyncio, json, struct, sys, types
for name, has in (("serial", []), ("serial_asyncio", ["create_serial_connection"])):
    try:
        __import__(name)
    except ImportError:
        sys.modules[name] = types.ModuleType(name)
        for each in has:
            setattr(sys.modules[name], each, None)
from pymodbus.datastore import ModbusServerContext, ModbusSlaveContext, ModbusSparseDataBlock
from pymodbus.server.async_io import StartAsyncTcpServer

registers = {}
for address, value in json.loads(sys.argv[2]):
    high, low = struct.unpack(">HH", struct.pack(">f", value))
    registers[address] = high
    registers[address + 1] = low
block = ModbusSparseDataBlock(registers)
context = ModbusServerContext(slaves={1: ModbusSlaveContext(hr=block, ir=block, zero_mode=True)}, single=False)

async def main():
    server = await StartAsyncTcpServer(context=context, address=("127.0.0.1", int(sys.argv[1])), defer_start=True)
    running = asyncio.ensure_future(server.serve_forever())
    while server.server is None:
        await asyncio.sleep(0.02)
    print(server.server.sockets[0].getsockname()[1], flush=True)
    await running

asyncio.run(main())
`;

export interface ModbusSlave {
  readonly port: number;
  readonly close: () => Promise<void>;
}

/**
 * A pymodbus server, unit 1, whose input and holding registers hold these float32 values, high word first.
 */
export async function openPymodbus(
  floats: readonly (readonly [address: number, value: number])[],
): Promise<ModbusSlave> {
  const server = spawn(python, ["-c", slave, "0", JSON.stringify(floats)], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = new Promise<void>((resolve) => server.once("exit", () => resolve()));
  let complaint = "";
  server.stderr.on("data", (bytes: Buffer) => (complaint = (complaint + bytes.toString()).slice(-2000)));
  const port = await new Promise<number>((resolve, reject) => {
    server.stdout.once("data", (bytes: Buffer) => resolve(Number(bytes.toString())));
    server.once("exit", () => reject(new Error(`pymodbus has not started: ${complaint}`)));
  });
  return {
    port,
    async close() {
      server.kill("SIGTERM");
      await ended;
    },
  };
}
