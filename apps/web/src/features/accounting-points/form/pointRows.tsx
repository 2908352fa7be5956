import { accountingPoints, voltageLevels, type AccountingPoint } from "@metrum/contract/accounting";
import { resourceOfType } from "@metrum/vocabulary";
import { refetch } from "#lib/call";
import { Icon } from "#ui/icon";
import { defineRecord, rowsOf } from "#ui/record";
import { MomentField } from "../MomentField.tsx";
import {
  ConsumerPicker,
  DevicePicker,
  ObjectPicker,
  SupplierPicker,
  TransformerPicker,
} from "../pickers.tsx";
import { refreshed, unitTitle } from "../points.ts";
import { typeIds, typeTitle } from "../typeTitle.ts";
import { createInput, updateInput, valuesOf, type PointValues } from "./pointForm.ts";
import { tieTransformers } from "./tieTransformers.ts";

interface Given {
  /** Node of the tree of a new point. */
  readonly parent: { readonly _id: string; readonly name: string } | null;
  /** Of the company. */
  readonly zone: string;
  /** Of the point, once it is known. */
  readonly unit: string;
  /** A meter measures it. */
  readonly isTied: boolean;
}

const rows = rowsOf<PointValues, Given>();
const { text, number, select, zone, tick, own, part, group, section, where } = rows;

const resourceOf = ({ resource_type_id }: PointValues) => resourceOfType(Number(resource_type_id));
const isElectricity = (values: PointValues) => resourceOf(values).key === "electricity";
const hasTransformers = ({ current_transformer, voltage_transformer }: PointValues) =>
  current_transformer !== null || voltage_transformer !== null;
const hasOwnZone = ({ has_own_zone }: PointValues) => has_own_zone;

const note = (name: string, words: (isNew: boolean) => string) =>
  part(name, (_, { t, isNew, zone: ofCompany }) => (
    <p className="points-terms-note">
      <Icon name="info" />
      <span>{t(words(isNew), { zone: ofCompany })}</span>
    </p>
  ));

const transformer = (name: "current_transformer" | "voltage_transformer", kind: "current" | "voltage") =>
  own(
    name,
    (bound, _, { t }) => <TransformerPicker kind={kind} placeholder={t("form.noTransformer")} {...bound} />,
    { title: `form.${kind}Transformer` },
  );

/** Terms of accounting, and the moment from which a change of them holds. */
const terms = section(
  "form.terms",
  "points-part",
  note("termsNote", (isNew) => (isNew ? "form.termsNew" : "form.termsHold")),
  group(
    "points-pair",
    own("valid_from", (bound, { values }) => <MomentField {...bound} zone={values.timezone} />, {
      title: ({ isNew }) => (isNew ? "form.fromNew" : "form.from"),
      hint: "form.fromHint",
    }),
    ...where((_, { isNew }) => !isNew, text("note", { most: 1000 })),
    own("consumer", (bound) => <ConsumerPicker {...bound} />),
    own("supplier", (bound) => <SupplierPicker {...bound} />),
    number("ratio", {
      ...{ min: 0.000001, max: 1_000_000, isDisabled: hasTransformers },
      hint: (values) => (hasTransformers(values) ? "form.ratioByTransformers" : "form.ratioHint"),
    }),
    number("loss", { min: 0, max: 99.999999, unit: () => "%", hint: "form.lossHint" }),
    ...where(
      isElectricity,
      transformer("current_transformer", "current"),
      transformer("voltage_transformer", "voltage"),
      select(
        "voltage_level_id",
        ({ t, language }) => [
          { of: "", title: t("form.noLevel") },
          ...voltageLevels.map(({ id, title }) => ({ of: String(id), title: title[language] })),
        ],
        { title: "form.voltageLevel" },
      ),
      number("contract_power", {
        ...{ min: 0, max: 100_000_000, decimals: 3, title: "form.contractPower" },
        unit: (_, { language }) => unitTitle("kW", language),
      }),
    ),
  ),
  part("standard", (_, { t }) => <p className="points-part-title">{t("form.standard")}</p>),
  group(
    "points-triple",
    ...(["hour", "day", "month"] as const).map((each) =>
      number(each, {
        ...{ min: 0, max: 1e12, title: `form.standardOf.${each}` },
        unit: (_, { unit, language }) => (unit === "" ? undefined : unitTitle(unit, language)),
      }),
    ),
  ),
);

export const pointRows = defineRecord<AccountingPoint, PointValues, Given>()({
  texts: ["accountingPoints"],
  titles: "form",
  size: 618,
  className: "points-form",
  title: (of, t) => (of ? t("form.edit", { name: of.name }) : t("form.new")),
  values: (of, { parent, zone: ofCompany }) => valuesOf(of, parent, ofCompany),
  required: ["name"],
  names: {
    ...{ parent_id: "parent", consumer_id: "consumer", supplier_id: "supplier", device_id: "device" },
    ...{ loss_factor: "loss", transformation_ratio: "ratio" },
  },
  rows: [
    text("name", { most: 255, isFirst: true }),
    group(
      "points-pair",
      select(
        "resource_type_id",
        ({ t }) => typeIds.map((id) => ({ of: String(id), title: typeTitle({ resource_type_id: id }, t) })),
        {
          title: "form.type",
          isDisabled: (_, { isTied }) => isTied,
          hint: (_, { isTied }) => (isTied ? "form.typeFixed" : undefined),
        },
      ),
      own("parent", (bound, _, { t }) => <ObjectPicker placeholder={t("form.noObject")} {...bound} />, {
        title: "form.object",
      }),
    ),
    section(
      "form.address",
      "points-part",
      group(
        "points-pair",
        ...(["city", "street", "house", "innerObject"] as const).map((each) => text(each, { most: 255 })),
      ),
    ),
    ...where(
      (_, { isNew }) => isNew,
      own(
        "device",
        (bound, { values }, { t }) => (
          <DevicePicker
            placeholder={t("form.noDevice")}
            group={resourceOf(values).deviceGroupId}
            {...bound}
          />
        ),
        { hint: "form.deviceHint" },
      ),
    ),
    terms,
    tick("has_own_zone", { title: "form.ownZone" }),
    ...where(hasOwnZone, zone("timezone", { title: "form.zone", hint: "form.zoneHint" })),
    ...where(
      (values) => !hasOwnZone(values),
      note("zoneNote", () => "form.zoneOfCompany"),
    ),
    text("comment", { most: 2000 }),
  ],
  body: (values) => values,
  add: async (values, ask, { parent, zone: ofCompany }) => {
    const answer = await ask(accountingPoints.create, { body: createInput(values) });
    await tieTransformers(answer, values, valuesOf(null, parent, ofCompany));
    return answer;
  },
  change: async (of, _, ask, values) => {
    const stored = valuesOf(of, null, of.timezone);
    const answer = await ask(accountingPoints.update, { body: updateInput(of.id, values, stored) });
    await tieTransformers(answer, values, stored);
    return answer;
  },
  refresh: () => refetch(...refreshed),
});
