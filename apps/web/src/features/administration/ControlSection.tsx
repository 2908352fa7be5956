import { control, type ControlFreeze } from "@metrum/contract/headend";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { askFreeze, askRelease, everyMs, type Place } from "#freeze";
import { useCall } from "#lib/call";
import { formatDateTime } from "#lib/format";
import { useAllowed, useSession } from "#lib/session";
import { Button, buttonClass } from "#ui/button";
import { AskedSettings, SettingsRow, SettingsSection } from "#ui/settings";
import { EmptyState } from "#ui/states";
import { Status } from "#ui/status";

/** Where commands to devices are stopped: the installation, or single companies. */
export function ControlSection() {
  const { t } = useTranslation("administration");
  const query = useCall(control.freezes, {}, { isQuiet: true, freshMs: 0, everyMs });
  return (
    <AskedSettings title={t("section.control")} failed={t("control.failed")} query={query} height={160}>
      {({ freezes }) => (
        <>
          <Whole freeze={freezes.find(({ company_id }) => company_id === null)} />
          <Companies freezes={freezes.filter(({ company_id }) => company_id !== null)} />
        </>
      )}
    </AskedSettings>
  );
}

function Whole({ freeze }: { readonly freeze: ControlFreeze | undefined }) {
  const { t } = useTranslation("administration");
  return (
    <SettingsSection title={t("section.control")} text={t("control.text")}>
      <SettingsRow title={t("control.whole")} text={freeze && <Facts freeze={freeze} />}>
        <Status kind={freeze ? "alarm" : "ok"}>{t(freeze ? "control.stopped" : "control.allowed")}</Status>
        <Turn place={null} isFrozen={freeze !== undefined} />
      </SettingsRow>
    </SettingsSection>
  );
}

function Companies({ freezes }: { readonly freezes: readonly ControlFreeze[] }) {
  const { t } = useTranslation("administration");
  const seesCompanies = useAllowed("2:read");
  return (
    <SettingsSection
      title={t("control.companies")}
      text={t("control.companiesText")}
      actions={
        seesCompanies ? (
          <a className={buttonClass()} href="#/cloud/companies">
            {t("control.toCompanies")}
          </a>
        ) : undefined
      }
    >
      {freezes.length === 0 ? (
        <EmptyState title={t("control.none")} />
      ) : (
        <div className="administration-facts">
          {freezes.map((freeze) => {
            const name = freeze.company_name ?? "";
            return (
              <SettingsRow key={freeze.company_id} title={name} text={<Facts freeze={freeze} />}>
                <Turn place={{ id: freeze.company_id ?? 0, name }} isFrozen />
              </SettingsRow>
            );
          })}
        </div>
      )}
    </SettingsSection>
  );
}

/** Why, who and since when. */
function Facts({ freeze: { reason, since, user_name } }: { readonly freeze: ControlFreeze }) {
  const { t } = useTranslation("freeze");
  const { zone } = useSession();
  return (
    <span className="administration-freeze">
      <span>{reason}</span>
      <span>{t("since", { at: formatDateTime(since, zone), name: user_name ?? t("gone") })}</span>
    </span>
  );
}

function Turn({ place, isFrozen }: { readonly place: Place; readonly isFrozen: boolean }) {
  const { t } = useTranslation(["administration", "freeze"]);
  const words = useTranslation("freeze").t;
  const [isBusy, setBusy] = useState(false);
  const turn = async (): Promise<void> => {
    setBusy(true);
    try {
      await (isFrozen ? askRelease(place, words) : askFreeze(place, words));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Button
      kind={isFrozen ? "secondary" : "danger"}
      isBusy={isBusy}
      aria-label={isFrozen && place !== null ? t("freeze:release.of", { name: place.name }) : undefined}
      onClick={() => void turn()}
    >
      {t(isFrozen ? "freeze:release.action" : "freeze:stop.action")}
    </Button>
  );
}
