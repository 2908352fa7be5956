// @vitest-environment happy-dom
import type { ListFile } from "@metrum/contract/core";
import type { Line, LineTest } from "@metrum/contract/headend";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { loadSession } from "#lib/session";
import { startSession } from "#lib/token";
import { answer, pageOf, refusal, stubServer } from "#testing/browser.ts";
import { aGateway, gatewayModel } from "#testing/carriers.ts";
import { button, click, draw, faultAt, field, found, press, says, type, useScreen } from "#testing/dom.tsx";
import { anAccess, asUser } from "#testing/session.ts";
import { LineDialog } from "./LineDialog.tsx";
import { LinesPage } from "./LinesPage.tsx";
import { TestDialog } from "./TestDialog.tsx";

useScreen("lines", "devices", "grid");
beforeEach(() => startSession("token"));

const aLine = (more: Partial<Line> = {}): Line => ({
  id: 7,
  name: "Boiler house",
  device_id: "356700000000001",
  model_id: 603,
  model_title: "NPort 5110",
  way: "tcp",
  tcp: { host: "203.0.113.7", port: 5000 },
  serial: null,
  listens: null,
  state: "idle",
  devices_count: 12,
  silent_count: 3,
  last_contact_at: 1_793_491_200,
  ...more,
});
const aReceiver = aLine({
  id: 8,
  name: "Roof",
  way: "serial",
  tcp: null,
  serial: { path: "/dev/ttyUSB0", baud_rate: 2400, data_bits: 8, parity: "even", stop_bits: 1 },
  listens: { to: "wmbus_lines", hello: "" },
  state: "missing",
});
const cellar = aGateway({
  ...{ id: 9, name: "Cellar", device_id: "N-9", model_id: 603, model_title: "NPort 5110", interface_id: 7 },
});

async function serve(more: Readonly<Record<string, () => Response>> = {}) {
  const requests = stubServer({
    ...asUser(anAccess("admin")),
    "device/lines": () => answer({ lines: pageOf([aLine(), aReceiver]) }),
    "device/line/ports": () =>
      answer({ ports: [{ path: "/dev/ttyUSB0", is_taken: false }], may_assign: false }),
    "device/model/gateways": () => answer({ gateways: [gatewayModel(603, "NPort 5110", [7], "tcp_client")] }),
    "device/gateways": () =>
      answer({ gateways: pageOf([cellar]), counts: { all: 1, archived: 0, deleted: 0 } }),
    "device/model/metering_devices": () => answer({ metering_devices: [] }),
    "device/line/save": () => answer({ line: aLine() }),
    ...more,
  });
  await loadSession();
  return requests;
}
const sent = async (requests: readonly Request[], path: string): Promise<unknown> => {
  const request = await found(() => requests.findLast(({ url }) => url.endsWith(`/api/${path}`)));
  return (await request.clone().json()) as unknown;
};
const nothing = () => undefined;
const menuItem = (name: string) =>
  found(() =>
    [...document.querySelectorAll<HTMLElement>("[role=menuitem]")].find((each) => each.textContent === name),
  );
afterEach(() => vi.restoreAllMocks());

describe("DEV-065 lines on a screen", () => {
  it("shows address, connection, use and state of each line", async () => {
    await serve();

    await draw(<LinesPage />);
    await found(() => says("203.0.113.7:5000"));

    for (const text of [
      "/dev/ttyUSB0",
      "2400 8E1",
      "wM-Bus, text lines",
      "No such port",
      "Opened to poll",
      "12, 3 silent",
    ])
      expect(says(text), text).toBe(true);
  });

  it("XLS-010 is saved as a file with the shown columns, combined ones split", async () => {
    vi.spyOn(HTMLAnchorElement.prototype, "click").mockReturnValue();
    const requests = await serve();
    await draw(<LinesPage />);
    await found(() => says("203.0.113.7:5000"));

    await click(button("Save as a file"));
    await click(await menuItem("CSV"));
    const { file } = (await sent(requests, "device/lines")) as { readonly file: ListFile };

    expect(file.columns.map(({ title, of }) => `${title}: ${of.join()}`)).toEqual([
      "State: state",
      "Address: tcp.host,serial.path",
      "Port: tcp.port",
      "Connection: way",
      "Speed, bit/s: serial.baud_rate",
      "Receiver: listens.to",
      "Gateway: name",
      "Model: model_title",
      "Devices: devices_count",
      "Silent devices: silent_count",
      "Last contact: last_contact_at",
    ]);
    await found(() => says("Saved:"));
  });

  it("a line is created for a gateway found by search; missing input is reported at its field", async () => {
    const requests = await serve();
    await draw(<LineDialog line={null} onClose={nothing} />);

    await click(button("Add"));
    expect(faultAt(field("Host"))).toBeDefined();
    await type(field("Gateway"), "cel");
    await expect
      .poll(() => sent(requests, "device/gateways"))
      .toMatchObject({ search_string: "cel", model_id: [603] });
    await found(() => document.querySelector("[role=option]"));
    await press("Enter");
    await type(field("Host"), "meters.example.com");
    await type(field("Port"), "5000");
    await click(button("Add"));

    expect(await sent(requests, "device/line/save")).toEqual({
      gateway_id: 9,
      tcp: { host: "meters.example.com", port: 5000 },
      listens: null,
    });
  });

  it("a refused address is reported at its field, and a serial port keeps its settings", async () => {
    const requests = await serve({
      "device/line/save": () =>
        refusal(422, "wrong_input", "Wrong", { "serial.path": ["a port is assigned by the provider"] }),
    });
    await draw(<LineDialog line={aReceiver} onClose={nothing} />);
    await found(() => says("/dev/ttyUSB0"));

    await type(field("Speed, baud"), "9600");
    await click(button("Save"));

    expect(await sent(requests, "device/line/save")).toEqual({
      gateway_id: 8,
      serial: { path: "/dev/ttyUSB0", baud_rate: 9600, data_bits: 8, parity: "even", stop_bits: 1 },
      listens: { to: "wmbus_lines", hello: "" },
    });
    await found(() => faultAt(field("Port of the server")));
  });

  it("a test shows who answered and every byte, or why the line could not be opened", async () => {
    const step = {
      label: "telegram",
      try: 1,
      tries: 1,
      at_ms: 20,
      answered_ms: 30,
      ended_ms: 40,
      error: null,
    };
    const good: LineTest = {
      result: "ok",
      fault: null,
      model_id: 101,
      title: "SDM630",
      resource: "electricity",
      received_bytes: 2,
      duration_ms: 1500,
      steps: [{ ...step, sent: "0103", received: "abcd", sent_spans: [], received_spans: [] }],
    };
    const answers = [good, { ...good, result: "no_line", fault: "no_answer", title: "", steps: [] }];
    const requests = await serve({ "device/line/test": () => answer({ test: answers.shift() }) });
    await draw(<TestDialog line={aLine()} onClose={nothing} />);

    await click(button("Test"));
    await found(() => says("SDM630"));
    expect(says("01 03") && says("AB CD")).toBe(true);
    await click(button("Test again"));
    await found(() => says("No answer from this address"));

    expect(await sent(requests, "device/line/test")).toEqual({ gateway_id: 7, kind: "ask" });
  });
});
