import { partyBounds } from "@metrum/contract/access";
import { transformerKinds, transformers, type Transformer } from "@metrum/contract/accounting";
import type { TFunction } from "i18next";
import { useTranslation } from "react-i18next";
import { refetch } from "#lib/call";
import { defineRecord, RecordDialog, rowsOf } from "#ui/record";
import { refreshed } from "./directories.ts";

interface Props {
  /** The transformer to change; null adds one. */
  readonly transformer: Transformer | null;
  readonly onClose: () => void;
  readonly onSaved: (id: string) => void;
}

/** Adds or changes a transformer. Kind and values stay while the history of points names it. */
export function TransformerDialog({ transformer, onClose, onSaved }: Props) {
  const { t } = useTranslation("directories");
  return (
    <RecordDialog
      form={transformerForm}
      record={transformer}
      given={{}}
      onClose={onClose}
      onSaved={(reply) => onSaved(String(reply.transformer.id))}
    >
      {transformer ? <p className="directories-hint">{t("form.ratioHint")}</p> : null}
    </RecordDialog>
  );
}

interface Values extends Pick<Transformer, "title" | "kind" | "accuracy_class" | "number"> {
  readonly primary_value: number | null;
  readonly secondary_value: number | null;
  readonly verified_at: string;
  readonly verified_until: string;
}

const none: Values = {
  ...{ title: "", kind: "current", accuracy_class: "", number: "" },
  ...{ primary_value: null, secondary_value: null, verified_at: "", verified_until: "" },
};

const { choice, text, number, day, beside } = rowsOf<Values>();
const value = {
  ...{ decimals: 3, max: partyBounds.transformerValue },
  unit: ({ kind }: Values, { t }: { readonly t: TFunction }) => t(kind === "current" ? "unit.A" : "unit.V"),
};

const transformerForm = defineRecord<Transformer, Values>()({
  texts: ["directories"],
  titles: "field",
  size: 500,
  title: (of, t) => (of ? t("form.edit", { name: of.title }) : t("form.add.transformers")),
  values: valuesOf,
  required: ["title", "primary_value", "secondary_value"],
  rows: [
    choice("kind", ({ t }) => transformerKinds.map((of) => ({ value: of, of, title: t(`kind.${of}`) }))),
    text("title", { most: 255, isFirst: true }),
    beside(
      number("primary_value", value),
      number("secondary_value", value),
      text("accuracy_class", { most: 20 }),
      text("number", { most: 100 }),
      day("verified_at"),
      day("verified_until"),
    ),
  ],
  body: bodyOf,
  add: (body, ask) => ask(transformers.create, { body }),
  change: (of, changed, ask) => ask(transformers.update, { body: { id: of.id, ...changed } }),
  refresh: () => refetch(...refreshed.transformers),
});

function valuesOf(of: Transformer | null): Values {
  if (!of) return none;
  const { title, kind, primary_value, secondary_value, accuracy_class, number: serial } = of;
  const [verified_at, verified_until] = [of.verified_at ?? "", of.verified_until ?? ""];
  return {
    ...{ title, kind, primary_value, secondary_value, accuracy_class },
    number: serial,
    verified_at,
    verified_until,
  };
}

/** Required values are there: the form has checked them. */
function bodyOf(given: Values) {
  return {
    ...given,
    primary_value: given.primary_value ?? 0,
    secondary_value: given.secondary_value ?? 0,
    verified_at: given.verified_at || null,
    verified_until: given.verified_until || null,
  };
}
