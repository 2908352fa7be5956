import {
  consumers,
  partyBounds,
  subjectOrganisation,
  subjectPerson,
  subjectTypes,
  type Consumer,
} from "@metrum/contract/access";
import { emailPattern, isInn, isPhone } from "@metrum/contract/core";
import { refetch } from "#lib/call";
import { PhoneField } from "#ui/phoneField";
import { defineRecord, RecordDialog, rowsOf } from "#ui/record";
import { refreshed } from "./directories.ts";

interface Props {
  /** The consumer to change; null adds one. */
  readonly consumer: Consumer | null;
  readonly onClose: () => void;
  readonly onSaved: (id: string) => void;
}

/** Adds or changes a consumer. Another type hides and clears the fields of the former one. */
export function ConsumerDialog({ consumer, onClose, onSaved }: Props) {
  return (
    <RecordDialog
      form={consumerForm}
      record={consumer}
      given={{}}
      onClose={onClose}
      onSaved={(reply) => onSaved(reply.consumer._id)}
    />
  );
}

const none = {
  subject_type_id: subjectOrganisation as number,
  ...{ name: "", inn: "", number_of_contract: "", address: "", comment: "", measurement_code_object: "" },
  ...{ registration_number: "", registration_date: "", phone_number: "", email: "" },
  account_access_enabled: false,
};
type Values = typeof none;

const { choice, text, day, tick, own, beside, where } = rowsOf<Values>();
const isOrganisation = ({ subject_type_id }: Values) => subject_type_id === subjectOrganisation;
const isPerson = (values: Values) => !isOrganisation(values);
const noneOf: Readonly<Record<number, Partial<Values>>> = {
  [subjectPerson]: { registration_number: "", registration_date: "" },
  [subjectOrganisation]: { phone_number: "", email: "" },
};

const consumerForm = defineRecord<Consumer, Values>()({
  texts: ["directories"],
  titles: "field",
  size: 500,
  title: (of, t) => (of ? t("form.edit", { name: of.name }) : t("form.add.consumers")),
  values: valuesOf,
  required: ["name"],
  check: ({ inn, email, phone_number }) => ({
    inn: isInn(inn.trim()) ? undefined : "inn",
    email: email.trim() === "" || emailPattern.test(email.trim()) ? undefined : "email",
    phone_number: isPhone(phone_number.trim()) ? undefined : "phone",
  }),
  faults: ["inn", "email", "phone"],
  rows: [
    choice(
      "subject_type_id",
      ({ language }) =>
        subjectTypes.map(({ id, title }) => ({ value: String(id), of: id, title: title[language] })),
      { sets: (id) => noneOf[id] ?? {} },
    ),
    text("name", { most: 255, isFirst: true }),
    beside(
      text("inn", { most: 12, inputMode: "numeric" }),
      text("number_of_contract", { most: 255 }),
      ...where(isOrganisation, text("registration_number", { most: 255 }), day("registration_date")),
      ...where(
        isPerson,
        own("phone_number", (bound) => <PhoneField {...bound} autoComplete="off" />),
        text("email", { most: 255, type: "email" }),
      ),
    ),
    text("address", { most: partyBounds.address }),
    text("measurement_code_object", { most: 255 }),
    text("comment", { most: partyBounds.comment }),
    tick("account_access_enabled", { hint: "form.accessHint" }),
  ],
  body: bodyOf,
  add: (body, ask) => ask(consumers.create, { body }),
  change: (of, changed, ask) => ask(consumers.update, { body: { _id: of._id, ...changed } }),
  refresh: () => refetch(...refreshed.consumers),
});

function valuesOf(of: Consumer | null): Values {
  if (!of) return none;
  const { _id: _, point_count: __, created_at: ___, erased_at: ____, ...fields } = of;
  return {
    ...fields,
    registration_number: fields.registration_number ?? "",
    registration_date: fields.registration_date ?? "",
    phone_number: fields.phone_number ?? "",
    email: fields.email ?? "",
  };
}

/** Only the fields of the type. */
function bodyOf({ registration_number, registration_date, phone_number, email, ...values }: Values) {
  return isOrganisation({ ...none, ...values })
    ? { ...values, registration_number, registration_date: registration_date || null }
    : { ...values, phone_number, email };
}
