import { adminBroker, companies, inbox, models, type InboxEntry } from "@metrum/contract";
import { useState, type SubmitEvent } from "react";
import { useTranslation } from "react-i18next";
import { ApiError, exchange, refetch, useCall } from "#lib/call";
import { Button } from "#ui/button";
import { Dialog } from "#ui/dialog";
import { SelectField, TextField } from "#ui/field";
import { snack } from "#ui/snackbar";
import { bodyOf, draftOf, isWhole, noSettings, type Draft } from "./draft.ts";
import { MoreFields } from "./MoreFields.tsx";
import { isRefusal } from "./useRefused.ts";

const forever = { isQuiet: true, freshMs: Number.POSITIVE_INFINITY };
const formId = "inbox-add";
/** Several callers in a row mostly belong together. */
let lastCompany = "";

interface Props {
  readonly entry: InboxEntry;
  readonly onClose: () => void;
}

/** Company, model and name of somebody who calls; the rest is filled in already. */
export function AddDialog({ entry, onClose }: Props) {
  const { t } = useTranslation(["admin", "common"]);
  const [draft, setDraft] = useState<Draft>(() => draftOf(entry, lastCompany));
  const [isBusy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<ApiError | null>(null);
  const put = (change: Partial<Draft>) => setDraft((before) => ({ ...before, ...change }));
  const fault = (field: string) =>
    refusal?.attributes[field] === undefined ? undefined : (refusal.msg ?? undefined);
  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    setBusy(true);
    try {
      const { msg } = await exchange(
        inbox.create,
        { body: bodyOf(entry, draft) },
        { isQuiet: (error) => Object.keys(error.attributes).length > 0 },
      );
      lastCompany = draft.company;
      snack({ kind: "info", text: msg });
      await refetch(inbox.list, adminBroker.connectedGateways);
      onClose();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (isRefusal(error)) onClose();
      setRefusal(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Dialog
      title={t("inbox.title", { id: entry.identity })}
      size={500}
      onClose={onClose}
      closesOutside={false}
      isForm
      isBusy={isBusy}
      actions={
        <>
          <Button onClick={onClose}>{t("inbox.cancel")}</Button>
          <Button
            kind="primary"
            type="submit"
            form={formId}
            isBusy={isBusy}
            disabled={!isWhole(entry, draft)}
          >
            {t("inbox.create")}
          </Button>
        </>
      }
    >
      <form id={formId} className="platform-form" onSubmit={(event) => void submit(event)} noValidate>
        <CompanyField entry={entry} value={draft.company} onValue={(company) => put({ company })} />
        <TextField
          label={t("inbox.name")}
          value={draft.name}
          maxLength={255}
          isRequired
          onChange={(event) => put({ name: event.target.value })}
        />
        {entry.kind === "modem" ? (
          <GatewayField
            value={draft.gateway}
            error={fault("model_id")}
            onValue={(gateway) => put({ gateway })}
          />
        ) : null}
        <MeterField
          way={entry.kind}
          value={draft.meter}
          error={fault(entry.kind === "modem" ? "meter.model_id" : "model_id")}
          onValue={(meter) => put({ meter, settings: noSettings })}
        />
        {entry.kind === "modem" && draft.meter !== "" ? (
          <>
            <TextField
              label={t("inbox.number")}
              value={draft.number}
              maxLength={255}
              isRequired
              error={fault("deviceID")}
              onChange={(event) => put({ number: event.target.value })}
            />
            <TextField
              label={t("inbox.address")}
              hint={entry.inside_addr === null ? t("inbox.addressHint") : t("inbox.answered")}
              value={draft.address}
              maxLength={255}
              onChange={(event) => put({ address: event.target.value })}
            />
          </>
        ) : null}
        {draft.meter === "" ? null : (
          <MoreFields
            key={draft.meter}
            modelId={draft.meter}
            value={draft.settings}
            faultOf={(field) =>
              refusal?.attributes[`${entry.kind === "modem" ? "meter." : ""}${field}`]?.join(", ")
            }
            onChange={(change) => put({ settings: { ...draft.settings, ...change } })}
          />
        )}
        {refusal !== null && refusal.attributes["identity"] ? <p role="alert">{refusal.msg}</p> : null}
      </form>
    </Dialog>
  );
}

interface FieldProps {
  readonly value: string;
  readonly error?: string | undefined;
  readonly onValue: (value: string) => void;
}

function CompanyField({ entry, value, onValue }: FieldProps & { readonly entry: InboxEntry }) {
  const { t } = useTranslation("admin");
  const { data } = useCall(companies.list, { body: { paginate: false } }, { isQuiet: true });
  if (entry.company_id !== null)
    return <p className="platform-of">{t("inbox.of", { company: entry.company_name ?? "" })}</p>;
  return (
    <SelectField
      label={t("inbox.company")}
      placeholder={t("inbox.choose")}
      value={value}
      isRequired
      options={(data?.companies.data ?? []).map(({ id, name }) => ({ value: String(id), title: name }))}
      onChange={(event) => onValue(event.target.value)}
    />
  );
}

function GatewayField({ value, error, onValue }: FieldProps) {
  const { t } = useTranslation("admin");
  const { data } = useCall(models.gateways, { body: {} }, forever);
  const brands = useCall(models.brands, { body: {} }, forever);
  const brandOf = (id: number) => brands.data?.brands.find((brand) => brand.id === id)?.title ?? "";
  const dialIn = (data?.gateways ?? []).filter(({ connection }) => connection === "dial_in");
  return (
    <SelectField
      label={t("inbox.gateway")}
      placeholder={t("inbox.choose")}
      value={value}
      error={error}
      isRequired
      options={dialIn.map(({ id, title, brand_id }) => ({
        value: String(id),
        title: `${brandOf(brand_id)} ${title}`.trim(),
      }))}
      onChange={(event) => onValue(event.target.value)}
    />
  );
}

function MeterField({ way, value, error, onValue }: FieldProps & { readonly way: InboxEntry["kind"] }) {
  const { t } = useTranslation("admin");
  const { data } = useCall(models.devices, { body: {} }, forever);
  const fitting = (data?.metering_devices ?? []).filter(
    ({ options }) => options.virtual_bridge.active === (way === "modem"),
  );
  return (
    <SelectField
      label={t(way === "modem" ? "inbox.meter" : "inbox.model")}
      placeholder={t(way === "modem" ? "inbox.noMeter" : "inbox.choose")}
      value={value}
      error={error}
      options={fitting.map(({ id, brand, title }) => ({ value: String(id), title: `${brand} ${title}` }))}
      onChange={(event) => onValue(event.target.value)}
    />
  );
}
