import { licence, type LicenceInfo, type LicenceState } from "@metrum/contract/access";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { ApiError, exchange, reasonOf, refetch, useCall } from "#lib/call";
import { formatDate, useFormat } from "#lib/format";
import { expiryOf } from "#lib/session";
import { Button } from "#ui/button";
import { SettingsRow, SettingsSection } from "#ui/settings";
import { Skeleton } from "#ui/skeleton";
import { snack } from "#ui/snackbar";
import { ErrorState } from "#ui/states";
import { Status, StatusGlyph, type StatusKind } from "#ui/status";

const kinds: Readonly<Record<LicenceState, StatusKind>> = {
  evaluation: "pending",
  valid: "ok",
  expired: "alarm",
  invalid: "alarm",
};

/**
 * The licence of a server installation: devices used and permitted, expiry, renewal, upload of a new file.
 */
export function LicenceSection() {
  const { t } = useTranslation("administration");
  const { data, error, refetch: again } = useCall(licence.info, {}, { isQuiet: true, freshMs: 0 });
  return (
    <SettingsSection title={t("section.licence")} text={t("licence.text")} actions={<Upload />}>
      {error ? (
        <ErrorState title={t("licence.failed")} message={reasonOf(error)} onRetry={() => void again()} />
      ) : data ? (
        <Facts info={data} />
      ) : (
        <Skeleton height={160} />
      )}
    </SettingsSection>
  );
}

function Facts({ info }: { readonly info: LicenceInfo }) {
  const { t } = useTranslation("administration");
  const { number } = useFormat();
  const {
    state,
    company,
    license_expiry,
    server_devices_count: used,
    max_allowable_devices_count: most,
  } = info;
  const daysLeft = license_expiry === null ? null : Math.floor((license_expiry - Date.now() / 1000) / 86_400);
  const { indicator } = expiryOf({ license_days_left: daysLeft }, { is_demo: false });
  return (
    <>
      <div className="administration-facts">
        <SettingsRow title={t("licence.state")} text={company ?? undefined}>
          <Status kind={state === "valid" && indicator !== null ? "warn" : kinds[state]}>
            {t(`licence.${state}`)}
          </Status>
        </SettingsRow>
        <SettingsRow title={t("licence.devices")}>
          <div
            className="administration-used"
            role="meter"
            aria-label={t("licence.devices")}
            aria-valuemin={0}
            aria-valuemax={most}
            aria-valuenow={Math.min(used, most)}
            aria-valuetext={t("licence.used", { used: number(used, 0), most: number(most, 0) })}
            data-full={used >= most ? "" : undefined}
          >
            <svg viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
              <rect width={most === 0 ? 100 : Math.min(100, (used / most) * 100)} height="6" />
            </svg>
            <span>{t("licence.used", { used: number(used, 0), most: number(most, 0) })}</span>
          </div>
        </SettingsRow>
        <SettingsRow title={t("licence.ends")}>
          <span>
            {license_expiry === null ? t("licence.endless") : formatDate(license_expiry - 1, "UTC")}
            {daysLeft === null || daysLeft < 0
              ? null
              : `, ${daysLeft === 0 ? t("licence.today") : t("licence.left", { count: daysLeft })}`}
          </span>
        </SettingsRow>
      </div>
      {state === "valid" ? null : (
        <p className="administration-warning">
          <StatusGlyph kind={kinds[state]} />
          {t(`licence.meaning.${state}`)}
        </p>
      )}
      <p className="administration-quiet">{t("licence.renew")}</p>
    </>
  );
}

/** Upload of a new licence file; an invalid one is refused with the reason and changes nothing. */
function Upload() {
  const { t } = useTranslation("administration");
  const input = useRef<HTMLInputElement>(null);
  const [isSending, setSending] = useState(false);
  const send = async (chosen: File): Promise<void> => {
    setSending(true);
    try {
      const { msg } = await exchange(licence.upload, { body: { file: await chosen.text() } });
      snack({ text: msg });
      await refetch(licence.info);
    } catch (error) {
      // The refusal has already been shown.
      if (!(error instanceof ApiError)) snack({ kind: "error", text: t("licence.unreadable") });
    } finally {
      setSending(false);
    }
  };
  return (
    <>
      <input
        ref={input}
        type="file"
        accept=".json,application/json"
        hidden
        aria-label={t("licence.upload")}
        onChange={({ currentTarget }) => {
          const [chosen] = currentTarget.files ?? [];
          // So that the same file can be chosen again after a correction.
          currentTarget.value = "";
          if (chosen) void send(chosen);
        }}
      />
      <Button icon="upload" isBusy={isSending} onClick={() => input.current?.click()}>
        {t("licence.upload")}
      </Button>
    </>
  );
}
