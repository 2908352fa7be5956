import { companies } from "@metrum/contract/access";
import { adminBroker, inbox, type InboxEntry } from "@metrum/contract/headend";
import { devices, models } from "@metrum/contract/metering";
import { useTranslation } from "react-i18next";
import { exchange, refetch, useCall, type ApiError } from "#lib/call";
import { SelectField, TextField } from "#ui/field";
import { FormDialog, useForm, type Bound } from "#ui/form";
import { snack } from "#ui/snackbar";
import { behindModem, bodyOf, draftOf, isWhole, noSettings, ofDevice } from "./draft.ts";
import { MoreFields } from "./MoreFields.tsx";
import { Preview } from "./Preview.tsx";
import "./callers.css";

/** The session has ended, or lacks the right: the page around is left. */
const endsSession = ({ status }: ApiError): boolean => status === 401 || status === 403;

const forever = { isQuiet: true, freshMs: Number.POSITIVE_INFINITY };
/** Remembered, as several callers in a row usually belong together. */
let lastCompany = "";

interface Props {
  readonly entry: InboxEntry;
  /** Staff of the provider see the callers of all companies. */
  readonly isStaff: boolean;
  readonly onClose: () => void;
}

/** Company, model and name of an unknown caller; the rest is prefilled. */
export function RegisterDialog({ entry, isStaff, onClose }: Props) {
  const { t } = useTranslation("callers");
  const isModem = entry.kind === "modem";
  const company_id = entry.company_id ?? undefined;
  const sent = useCall(
    inbox.preview,
    { body: { identity: entry.identity, ...(isStaff && company_id !== undefined ? { company_id } : {}) } },
    { isQuiet: true, isEnabled: !isModem },
  );
  const form = useForm({
    stored: draftOf(entry, lastCompany, sent.data?.models[0]?.model_id),
    names: isModem ? behindModem : ofDevice,
    send: (draft, options) => exchange(inbox.create, { body: bodyOf(entry, draft) }, options),
    onSaved: async ({ taken }) => {
      lastCompany = form.values.company;
      if (taken > 0) snack(t("added", { count: taken }));
      await refetch(inbox.list, adminBroker.connectedGateways, devices.list);
      onClose();
    },
    onRefused: (error) => {
      if (endsSession(error)) onClose();
    },
  });
  const { values } = form;
  return (
    <FormDialog
      form={form}
      title={t("title", { id: entry.identity })}
      size={500}
      action={t("create")}
      isDisabled={!isWhole(entry, values)}
      onClose={onClose}
      className="caller-form"
    >
      {isStaff ? <CompanyField entry={entry} field={form.field("company")} /> : null}
      <TextField label={t("name")} {...form.field("name")} maxLength={255} isRequired />
      {isModem ? <GatewayField field={form.field("gateway")} /> : null}
      <MeterField
        way={entry.kind}
        field={{
          ...form.field("meter"),
          onValue: (meter) => form.set({ meter, ...noSettings }),
        }}
      />
      {isModem && values.meter !== "" ? (
        <>
          <TextField label={t("number")} {...form.field("number")} maxLength={255} isRequired />
          <TextField
            label={t("address")}
            {...form.field("address")}
            hint={entry.inside_addr === null ? t("addressHint") : t("answered")}
            maxLength={255}
          />
        </>
      ) : null}
      {isModem ? null : <Preview query={sent} modelId={values.meter} />}
      {values.meter === "" ? null : <MoreFields key={values.meter} modelId={values.meter} form={form} />}
    </FormDialog>
  );
}

interface FieldProps {
  readonly field: Bound<string>;
}

function CompanyField({ entry, field }: FieldProps & { readonly entry: InboxEntry }) {
  const { t } = useTranslation("callers");
  const { data } = useCall(companies.list, { body: { paginate: false } }, { isQuiet: true });
  if (entry.company_id !== null)
    return <p className="caller-of">{t("of", { company: entry.company_name ?? "" })}</p>;
  return (
    <SelectField
      label={t("company")}
      {...field}
      isRequired
      options={[
        { value: "", title: t("choose") },
        ...(data?.companies.data ?? []).map(({ id, name }) => ({ value: String(id), title: name })),
      ]}
    />
  );
}

function GatewayField({ field }: FieldProps) {
  const { t } = useTranslation("callers");
  const { data } = useCall(models.gateways, { body: {} }, forever);
  const brands = useCall(models.brands, { body: {} }, forever);
  const brandOf = (id: number) => brands.data?.brands.find((brand) => brand.id === id)?.title ?? "";
  const dialIn = (data?.gateways ?? []).filter(({ connection }) => connection === "dial_in");
  return (
    <SelectField
      label={t("gateway")}
      {...field}
      isRequired
      options={[
        { value: "", title: t("choose") },
        ...dialIn.map(({ id, title, brand_id }) => ({
          value: String(id),
          title: `${brandOf(brand_id)} ${title}`.trim(),
        })),
      ]}
    />
  );
}

function MeterField({ way, field }: FieldProps & { readonly way: InboxEntry["kind"] }) {
  const { t } = useTranslation("callers");
  const { data } = useCall(models.devices, { body: {} }, forever);
  const fitting = (data?.metering_devices ?? []).filter(
    ({ options }) => options.virtual_bridge.active === (way === "modem"),
  );
  return (
    <SelectField
      label={t(way === "modem" ? "meter" : "model")}
      {...field}
      options={[
        { value: "", title: t(way === "modem" ? "noMeter" : "choose") },
        ...fitting.map(({ id, brand, title }) => ({ value: String(id), title: `${brand} ${title}` })),
      ]}
    />
  );
}
