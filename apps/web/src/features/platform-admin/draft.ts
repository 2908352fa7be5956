import type { InboxCreate, InboxEntry } from "@metrum/contract";

/** What is typed and chosen; ids as the fields hold them. */
export interface Draft {
  readonly company: string;
  readonly name: string;
  readonly gateway: string;
  readonly meter: string;
  readonly number: string;
  readonly address: string;
}

/** The modem that most calls come through; another one is chosen in the list. */
const usualGateway = 601;
/** Meters on Modbus leave the factory with it. */
const usualAddress = "1";

/** As much as is known of whoever calls: what answered the poll behind it comes first. */
export function draftOf(entry: InboxEntry, company: string): Draft {
  return {
    company: entry.company_id === null ? company : String(entry.company_id),
    name: entry.identity,
    gateway: String(usualGateway),
    meter: entry.model_id === null ? "" : String(entry.model_id),
    number: entry.identity,
    address: entry.inside_addr ?? usualAddress,
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
  if (kind === "device") return { ...common, model_id: Number(meter) };
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
          },
        }),
  };
}
