import { services, type CompanyService, type Service } from "@metrum/contract/access";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { exchange, reasonOf, refetch, useCall } from "#lib/call";
import { useFormat } from "#lib/format";
import { Button } from "#ui/button";
import { confirm } from "#ui/dialog";
import { Switch, TextField } from "#ui/field";
import { Form, useForm } from "#ui/form";
import { SettingsRow, SettingsSection } from "#ui/settings";
import { Skeleton } from "#ui/skeleton";
import { snack } from "#ui/snackbar";
import { EmptyState, ErrorState } from "#ui/states";

/** The service with a manual export and with settings. */
const exportCode = "almaty_su";
const longestContract = 60;

const reload = () => refetch(services.companyList, services.companyLog);

/** Services offered by the provider, and those the company has. */
export function ServicesSection() {
  const { t } = useTranslation("companySettings");
  const groups = useCall(services.groups, {}, { isQuiet: true });
  const had = useCall(services.companyList, {}, { isQuiet: true });
  const failed = groups.isError ? groups : had;
  if (failed.isError)
    return (
      <SettingsSection title={t("section.services")}>
        <ErrorState
          title={t("services.failed")}
          message={reasonOf(failed.error)}
          onRetry={() => void Promise.all([groups.refetch(), had.refetch()])}
        />
      </SettingsSection>
    );
  if (!groups.data || !had.data)
    return (
      <SettingsSection title={t("section.services")}>
        <Skeleton height={72} />
      </SettingsSection>
    );
  const filled = groups.data.service_groups.filter((group) => group.services.length > 0);
  const own = new Map(had.data.map((each) => [each.service_id, each]));
  if (filled.length === 0)
    return (
      <SettingsSection title={t("section.services")}>
        <EmptyState title={t("services.empty")} />
      </SettingsSection>
    );
  return filled.map((group) => (
    <SettingsSection key={group.id} title={group.title}>
      {group.services.map((service) => (
        <ServiceLine key={service.id} service={service} own={own.get(service.id)} />
      ))}
    </SettingsSection>
  ));
}

interface LineProps {
  readonly service: Service;
  readonly own: CompanyService | undefined;
}

function ServiceLine({ service, own }: LineProps) {
  const { t } = useTranslation("companySettings");
  const { number } = useFormat();
  const [isBusy, setBusy] = useState(false);
  const run = async (call: () => Promise<{ readonly msg: string }>) => {
    setBusy(true);
    await call().then(
      ({ msg }) => snack(msg),
      // The call itself reports the failure.
      () => undefined,
    );
    await reload();
    setBusy(false);
  };
  const isOn = own?.is_active ?? false;
  const set = (is_active: boolean) =>
    run(() => exchange(services.companySet, { body: { service_id: service.id, is_active } }));
  const price =
    service.price === null
      ? t("services.agreed")
      : t("services.price", { price: number(service.price, 2), currency: service.currency ?? "" });
  return (
    <div className="service">
      <SettingsRow title={service.title} text={service.is_available ? price : t("services.unavailable")}>
        <Switch
          checked={isOn}
          isPending={isBusy}
          disabled={isBusy || (!service.is_available && !isOn)}
          onChange={(event) => void set(event.currentTarget.checked)}
        >
          <span className="visually-hidden">{t("services.toggle", { name: service.title })}</span>
        </Switch>
      </SettingsRow>
      {own === undefined ? null : <Own service={service} own={own} run={run} isBusy={isBusy} />}
    </div>
  );
}

interface OwnProps extends LineProps {
  readonly own: CompanyService;
  readonly run: (call: () => Promise<{ readonly msg: string }>) => Promise<void>;
  readonly isBusy: boolean;
}

/** Actions on a service of the company. */
function Own({ service, own, run, isBusy }: OwnProps) {
  const { t } = useTranslation("companySettings");
  const remove = async () => {
    const isSure = await confirm({
      title: t("services.removeTitle", { name: service.title }),
      text: t("services.removeText"),
      action: t("services.remove"),
      isHarmful: true,
    });
    const input = { params: { id: String(own.id) } };
    if (isSure) await run(() => exchange(services.companyDelete, input));
  };
  const hasExport = service.code === exportCode;
  return (
    <>
      {hasExport ? <Contract own={own} /> : null}
      <div className="service-actions">
        {hasExport && own.is_active && service.is_available ? (
          <Button
            icon="upload"
            disabled={isBusy}
            onClick={() => void run(() => exchange(services.almatySuExport, { body: {} }))}
          >
            {t("services.export")}
          </Button>
        ) : null}
        <Button kind="quiet" icon="trash" disabled={isBusy} onClick={() => void remove()}>
          {t("services.remove")}
        </Button>
      </div>
    </>
  );
}

function Contract({ own }: Pick<OwnProps, "own">) {
  const { t } = useTranslation("companySettings");
  const { service_id, settings } = own;
  const stored = settings["contract_number"];
  const form = useForm({
    stored: { contract: typeof stored === "string" ? stored : "" },
    names: { settings: "contract" },
    send: ({ contract }, options) => {
      const body = { service_id, settings: { contract_number: contract.trim() } };
      return exchange(services.companySet, { body }, options);
    },
    onSaved: reload,
  });
  return (
    <Form form={form} className="service-settings">
      <TextField
        label={t("services.contract")}
        {...form.field("contract")}
        maxLength={longestContract}
        autoComplete="off"
      />
      <Button type="submit" disabled={!form.isDirty}>
        {t("services.save")}
      </Button>
    </Form>
  );
}
