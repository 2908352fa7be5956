import { expect, test, vi } from "vitest";
import { loadSerial } from "./serialPort.ts";

vi.mock("@serialport/bindings-cpp", () => {
  throw new Error("Cannot find package");
});

test("without the optional package only the setting of serial ports is refused, with its name", async () => {
  await expect(loadSerial()).rejects.toThrow(
    "METRUM_SERIAL_PORTS: the optional package @serialport/bindings-cpp is not installed",
  );
});
