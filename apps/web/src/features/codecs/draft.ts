import type { CodecField, PayloadCodec } from "@metrum/contract/metering";

/** A line of the map while it is edited: decoded name, field, unit. */
export interface MapLine {
  readonly from: string;
  readonly name: string;
  readonly unit: string;
}

/** The edited codec: a new one, or the next version of an existing one. */
export interface Draft {
  readonly id: number | null;
  readonly model_id: number;
  readonly name: string;
  readonly source: string;
  readonly map: readonly MapLine[];
  readonly payload: string;
  readonly fport: number;
  /** Further test payloads, which the editor does not show. */
  readonly others: PayloadCodec["test_payloads"];
}

/** Template of a new codec, which shows the convention. */
export const example = `function decodeUplink({ bytes, fPort, recvTime }) {
  if (bytes.length < 4) return { errors: ["4 bytes wanted"] };
  const litres = ((bytes[0] << 24) | (bytes[1] << 16) | (bytes[2] << 8) | bytes[3]) >>> 0;
  return { data: { litres }, warnings: [] };
}
`;

export function draftOf(codec: PayloadCodec): Draft {
  const [tried, ...others] = codec.test_payloads;
  return {
    id: codec.id,
    model_id: codec.model_id,
    name: codec.name,
    source: codec.source_code,
    map: Object.entries(codec.field_map).map(([from, { name, unit }]) => ({ from, name, unit })),
    payload: tried?.payload ?? "",
    fport: tried?.fport ?? 1,
    others,
  };
}

export function newDraft(model_id: number, name: string): Draft {
  const map = [{ from: "litres", name: "in1", unit: "L" }];
  return { id: null, model_id, name, source: example, map, payload: "000003e8", fport: 1, others: [] };
}

/** Lines without a decoded name or field are ignored. */
export function fieldMapOf(map: readonly MapLine[]): Record<string, CodecField> {
  return Object.fromEntries(
    map.flatMap(({ from, name, unit }) => (from.trim() && name ? [[from.trim(), { name, unit }]] : [])),
  );
}

/** The test payloads of the next version: the one that is shown first, then the others of this version. */
export function testPayloadsOf({ payload: typed, fport, others }: Draft): PayloadCodec["test_payloads"] {
  const payload = payloadOf(typed) ?? "";
  return [...(payload === "" ? [] : [{ payload, fport }]), ...others];
}

/** Pasted payloads come with spaces, colons, dashes and 0x. */
export function payloadOf(text: string): string | null {
  const hex = text.replaceAll(/0x|[\s:,-]/gi, "");
  return /^(?:[0-9a-f]{2})*$/i.test(hex) ? hex.toLowerCase() : null;
}
