import { meterModels, type MeterModel } from "@metrum/catalogue";
import { problem, type ReplyOf } from "@metrum/contract/core";
import { baudRates, type models } from "@metrum/contract/metering";
import { interfaces } from "@metrum/vocabulary";
import { isAddress } from "./address.ts";

type PollField = ReplyOf<typeof models.pollFields>["fields"][number];

/** Interfaces with a converter between the server and a bus on which bytes come back as an echo. */
const buses: ReadonlySet<string> = new Set(["RS_232", "RS_485", "M_BUS", "Ethernet"]);
/** Protocols that open a dialogue at one speed and continue at another. */
const changingSpeed: ReadonlySet<string> = new Set(["iec62056-21", "dlms"]);

/** The connection parameters of a model and an interface, either may be unknown. Problem: unknown_model. */
export function pollFieldsOf(of: {
  readonly model_id?: number | undefined;
  readonly interface_id?: number | undefined;
}): PollField[] {
  const model = of.model_id === undefined ? undefined : meterModels.find(({ id }) => id === of.model_id);
  if (of.model_id !== undefined && !model)
    throw problem("unknown_model", { attributes: { model_id: ["unknown"] } });
  const way = interfaces.find(({ id }) => id === of.interface_id);
  if (model?.driver.kind === "uplink" || way?.connectionType === "pushed") return [];
  const hasEcho = way === undefined || buses.has(way.name);
  const hasSpeed = model === undefined || changingSpeed.has(model.driver.protocol);
  return [address(model), ...(hasEcho ? [echo] : []), ...(hasSpeed ? [speed] : [])];
}

const address = (model: MeterModel | undefined): PollField => ({
  name: "inside_addr",
  title: "Адрес прибора",
  title_en: "Device address",
  type: "text",
  required: model !== undefined && !isAddress(model, "", "1"),
  default: "",
  options: [],
});

const echo: PollField = {
  name: "echo",
  title: "Преобразователь повторяет отправленное",
  title_en: "The converter repeats what is sent",
  type: "bool",
  required: false,
  default: false,
  options: [],
};

const speed: PollField = {
  name: "fixed_baud",
  title: "Постоянная скорость линии",
  title_en: "Fixed speed of the line",
  type: "choice",
  required: false,
  default: null,
  options: [{ id: null, title: "—" }, ...baudRates.map((rate) => ({ id: rate, title: String(rate) }))],
};
