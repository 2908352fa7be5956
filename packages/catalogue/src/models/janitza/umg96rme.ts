import type { RegisterRow } from "@metrum/protocols/modbus";
import type { FieldName } from "@metrum/vocabulary";
import { defineModel } from "../../model.ts";
import { electricityMeter } from "../../shapes.ts";

const float = (
  address: number,
  field: FieldName,
  more: { msgType?: 1 | 2; scale?: number } = {},
): RegisterRow => ({ address, table: "holding", type: "f32", field, msgType: 2, ...more });

const kilo = { scale: 0.001 } as const;
const energy = { msgType: 1, scale: 0.001 } as const;

/** Layout: float32, high word first. Units on the wire: V, A, W, VA, var, Hz, Wh, varh. */
const rows: readonly RegisterRow[] = [
  float(19000, "voltage1"),
  float(19002, "voltage2"),
  float(19004, "voltage3"),
  float(19012, "current1"),
  float(19014, "current2"),
  float(19016, "current3"),
  float(19020, "power_active1", kilo),
  float(19022, "power_active2", kilo),
  float(19024, "power_active3", kilo),
  float(19026, "power_active", kilo),
  float(19028, "power_apparent1", kilo),
  float(19030, "power_apparent2", kilo),
  float(19032, "power_apparent3", kilo),
  float(19034, "power_apparent", kilo),
  float(19036, "power_reactive1", kilo),
  float(19038, "power_reactive2", kilo),
  float(19040, "power_reactive3", kilo),
  float(19042, "power_reactive", kilo),
  float(19044, "cos1"),
  float(19046, "cos2"),
  float(19048, "cos3"),
  float(19050, "Frequency"),
  float(19068, "tariff0", energy),
  float(19076, "tariff_negative0", energy),
];

/**
 * Map: Janitza UMG 96RM Modbus address list, frequently needed values. A float32 in Wh loses single
 * watt-hours above 16.7 MWh. From the list alone: not compared with a real meter.
 */
export const umg96rme = defineModel({
  ...electricityMeter({ phases: 3, variant: "tcp", rows }),
  id: 106,
  evidence: [
    {
      kind: "software",
      source: "volkszaehler/mbmd, meters/rs485/janitza.go, commit fb8f9c22f121",
      compared: "Addresses of 16 of the 24 registers of the map, the others are not in that reader",
    },
  ],
  brand: "Janitza",
  title: "UMG 96 RM-E",
  interfaces: ["Ethernet"],
  samples: [
    {
      of: "now",
      insideAddr: "1",
      exchange: [
        ["01010000000601034a380006", "01010000000f01030c4366199a436766664365cccd"],
        ["01020000000601034a440006", "01020000000f01030c40a800004099eb8540c23d71"],
        [
          "01030000000601034a4c0020",
          "010300000043010340449000004484400044a6c000455d800044970000448b200044ae60004568400043b5800043ac800043cc0000448b80003f7439583f7374bc3f74bc6a4247eb85",
        ],
        ["01040000000601034a7c0002", "0104000000070103044b3c6100"],
        ["01050000000601034a840002", "01050000000701030446435000"],
      ],
      gives: {
        tariff0: 12345.6,
        tariff_negative0: 12.5,
        voltage1: 230.1,
        voltage2: 231.4,
        voltage3: 229.8,
        current1: 5.25,
        current2: 4.81,
        current3: 6.07,
        power_active1: 1.152,
        power_active2: 1.058,
        power_active3: 1.334,
        power_active: 3.544,
        power_apparent1: 1.208,
        power_apparent2: 1.113,
        power_apparent3: 1.395,
        power_apparent: 3.716,
        power_reactive1: 0.363,
        power_reactive2: 0.345,
        power_reactive3: 0.408,
        power_reactive: 1.116,
        cos1: 0.954,
        cos2: 0.951,
        cos3: 0.956,
        Frequency: 49.98,
      },
      source: "our simulator, 2026-11",
    },
  ],
});
