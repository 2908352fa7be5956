import { companies } from "@metrum/contract/access";
import { mostSimulated, simulation, type SimulatedPark } from "@metrum/contract/platform";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { exchange, ignoreFailure, reasonOf, refetch, useCall } from "#lib/call";
import { formatDateTime, useFormat } from "#lib/format";
import { useSession } from "#lib/session";
import { Button } from "#ui/button";
import { confirm } from "#ui/dialog";
import { NumberField, SelectField } from "#ui/field";
import { Form, useForm } from "#ui/form";
import { SettingsRow, SettingsSection } from "#ui/settings";
import { Skeleton } from "#ui/skeleton";
import { snack } from "#ui/snackbar";
import { EmptyState, ErrorState } from "#ui/states";

const usual = 200;
const offered: { readonly company: string; readonly devices: number | null } = {
  company: "",
  devices: usual,
};

/** Parks of simulated devices: start, list and remove them. */
export function SimulationSection() {
  const { t } = useTranslation("administration");
  const { data, error, refetch: again } = useCall(simulation.state, {}, { isQuiet: true, freshMs: 0 });
  return (
    <SettingsSection title={t("simulation.title")} text={t("simulation.text")}>
      <StartForm />
      {error ? (
        <ErrorState title={t("simulation.failed")} message={reasonOf(error)} onRetry={() => void again()} />
      ) : data ? (
        <Parks parks={data.parks} />
      ) : (
        <Skeleton height={120} />
      )}
    </SettingsSection>
  );
}

function StartForm() {
  const { t } = useTranslation("administration");
  const { data } = useCall(companies.list, { body: { paginate: false } }, { isQuiet: true });
  const form = useForm({
    stored: offered,
    names: { company_id: "company" },
    send: ({ company, devices }, options) =>
      exchange(
        simulation.start,
        { body: { company_id: Number(company), devices: devices ?? usual } },
        options,
      ),
    onSaved: () => refetch(simulation.state),
    keepsDraft: true,
  });
  return (
    <Form form={form} className="administration-start">
      <SelectField
        label={t("simulation.company")}
        {...form.field("company")}
        isRequired
        options={[
          { value: "", title: t("simulation.choose") },
          ...(data?.companies.data ?? []).map(({ id, name }) => ({ value: String(id), title: name })),
        ]}
      />
      <NumberField
        label={t("simulation.devices")}
        {...form.field("devices")}
        min={1}
        max={mostSimulated}
        decimals={0}
      />
      <Button kind="primary" type="submit" isBusy={form.isBusy} disabled={form.values.company === ""}>
        {t("simulation.start")}
      </Button>
    </Form>
  );
}

function Parks({ parks }: { readonly parks: readonly SimulatedPark[] }) {
  const { t } = useTranslation("administration");
  const { number } = useFormat();
  const { zone } = useSession();
  if (parks.length === 0) return <EmptyState title={t("simulation.empty")} />;
  return (
    <div className="administration-facts">
      {parks.map((park) => (
        <SettingsRow
          key={park.id}
          title={park.company_name}
          text={`${t("simulation.count", { devices: number(park.devices, 0) })}, ${formatDateTime(park.created_at, zone)}`}
        >
          <RemoveButton park={park} />
        </SettingsRow>
      ))}
    </div>
  );
}

function RemoveButton({ park }: { readonly park: SimulatedPark }) {
  const { t } = useTranslation("administration");
  const [isBusy, setBusy] = useState(false);
  const remove = async (): Promise<void> => {
    const isSure = await confirm({
      title: t("simulation.removeTitle", { company: park.company_name }),
      text: t("simulation.removeText"),
      action: t("simulation.remove"),
      isHarmful: true,
    });
    if (!isSure) return;
    setBusy(true);
    try {
      const { msg } = await exchange(simulation.remove, { params: { id: String(park.id) } });
      snack(msg);
    } finally {
      setBusy(false);
    }
    await refetch(simulation.state);
  };
  return (
    <Button
      size="small"
      isBusy={isBusy}
      aria-label={t("simulation.removeOf", { company: park.company_name })}
      // The call itself reports the failure.
      onClick={() => void remove().catch(ignoreFailure)}
    >
      {t("simulation.remove")}
    </Button>
  );
}
