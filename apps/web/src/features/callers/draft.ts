import type { InboxCreate, InboxEntry } from "@metrum/contract/headend";
import type { DeviceSettings } from "@metrum/contract/metering";

/** Optional settings of a meter in addition to its address; empty ones are not sent. */
export interface Settings {
  readonly password: string;
  readonly encryption: string;
  readonly authentication: string;
  readonly impulse_weight: number | null;
  readonly starting_value: number | null;
  readonly transformation_ratio: number | null;
  /** Between polls or reports. */
  readonly minutes: number | null;
}

export const noSettings: Settings = {
  password: "",
  encryption: "",
  authentication: "",
  impulse_weight: null,
  starting_value: null,
  transformation_ratio: null,
  minutes: null,
};

/**
 * Input of the form; ids as the fields represent them. Settings belong to the chosen meter: another one
 * starts empty.
 */
export interface Draft extends Settings {
  readonly company: string;
  readonly name: string;
  readonly gateway: string;
  readonly meter: string;
  readonly number: string;
  readonly address: string;
}

/** Fields by their names in the call. */
const settingNames = {
  password: "password",
  "keys.encryption": "encryption",
  "keys.authentication": "authentication",
  impulse_weight: "impulse_weight",
  starting_value: "starting_value",
  transformation_ratio: "transformation_ratio",
  report_period_update: "minutes",
} as const;
export const ofDevice = { ...settingNames, model_id: "meter" } as const;
export const behindModem: Readonly<Record<string, keyof Draft>> = {
  model_id: "gateway",
  "meter.model_id": "meter",
  deviceID: "number",
  ...Object.fromEntries(Object.entries(settingNames).map(([name, field]) => [`meter.${name}`, field])),
};

/** The most common modem; another one is chosen in the list. */
const usualGateway = 601;
/** Factory default address of Modbus meters. */
const usualAddress = "1";

/** Known data of the caller: the result of a poll, or the model that reads what a device has sent. */
export function draftOf(entry: InboxEntry, company: string, reader?: number): Draft {
  return {
    company: entry.company_id === null ? company : String(entry.company_id),
    name: entry.identity,
    gateway: String(usualGateway),
    meter: String(entry.model_id ?? reader ?? ""),
    number: entry.identity,
    address: entry.inside_addr ?? usualAddress,
    ...noSettings,
  };
}

export function isWhole({ kind }: InboxEntry, draft: Draft): boolean {
  const { company, name, gateway, meter, number } = draft;
  if (company === "" || name.trim() === "") return false;
  return kind === "modem" ? gateway !== "" && (meter === "" || number.trim() !== "") : meter !== "";
}

export function bodyOf({ kind, identity }: InboxEntry, draft: Draft): InboxCreate {
  const { company, name, gateway, meter, number, address } = draft;
  const common = { kind, identity, name: name.trim(), company_id: Number(company) };
  const settings = settingsOf(draft);
  if (kind === "device") return { ...common, model_id: Number(meter), ...settings };
  return {
    ...common,
    model_id: Number(gateway),
    ...(meter === ""
      ? {}
      : {
          meter: {
            model_id: Number(meter),
            name: name.trim(),
            deviceID: number.trim(),
            inside_addr: address.trim(),
            ...settings,
          },
        }),
  };
}

function settingsOf({ password, encryption, authentication, minutes, ...numbers }: Settings): DeviceSettings {
  const { impulse_weight, starting_value, transformation_ratio } = numbers;
  const keys = {
    ...(encryption.trim() === "" ? {} : { encryption }),
    ...(authentication.trim() === "" ? {} : { authentication }),
  };
  return {
    ...(password === "" ? {} : { password }),
    ...(Object.keys(keys).length === 0 ? {} : { keys }),
    ...(impulse_weight === null ? {} : { impulse_weight }),
    ...(starting_value === null ? {} : { starting_value }),
    ...(transformation_ratio === null ? {} : { transformation_ratio }),
    ...(minutes === null ? {} : { report_period_update: minutes * 60 }),
  };
}
