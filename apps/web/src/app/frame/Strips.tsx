import { shell } from "@metrum/contract/platform";
import type { TFunction } from "i18next";
import { useEffect, useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import { useCall } from "#lib/call";
import { connection } from "#lib/connection";
import { formatTime } from "#lib/format";
import { expiryOf, useSession } from "#lib/session";
import { Button } from "#ui/button";
import { StatusGlyph, type StatusKind } from "#ui/status";
import { newVersion, reloadToNew, watchVersion } from "./newVersion.ts";
import { stripOf, type StripKind } from "./strip.ts";

const glyphs: Readonly<Record<StripKind, StatusKind>> = {
  offline: "warn",
  expiryWarning: "warn",
  expiryInfo: "pending",
  newVersion: "pending",
  testBuild: "off",
};

/** Texts of the specification, in every language. */
const testBuild = "TEST BUILD";

/** A notice for every screen, below the bar: one at a time. */
export function Strips() {
  const lostAt = useSyncExternalStore(connection.subscribe, connection.lostAt);
  const hasNewVersion = useSyncExternalStore(newVersion.subscribe, newVersion.get);
  const expiry = useShownExpiry();
  useEffect(watchVersion, []);
  const kind = stripOf({
    lostAt,
    expiry: expiry?.indicator ?? null,
    hasNewVersion,
    isTestBuild: import.meta.env.MODE !== "production",
  });
  return (
    <div className="shell-strip" role="status" data-kind={kind ?? undefined}>
      {kind === null ? null : (
        <>
          <StatusGlyph kind={glyphs[kind]} isWeak={kind === "expiryInfo"} />
          <Words kind={kind} lostAt={lostAt ?? 0} daysLeft={expiry?.daysLeft ?? null} />
        </>
      )}
    </div>
  );
}

interface WordsProps {
  readonly kind: StripKind;
  readonly lostAt: number;
  readonly daysLeft: number | null;
}

function Words({ kind, lostAt, daysLeft }: WordsProps) {
  const { t } = useTranslation("shell");
  const { zone } = useSession();
  switch (kind) {
    case "offline":
      return <span>{t("strip.offline", { time: formatTime(lostAt, zone) })}</span>;
    case "newVersion":
      return (
        <>
          <span>{t("strip.newVersion")}</span>
          <Button size="small" icon="refresh" onClick={() => void reloadToNew()}>
            {t("strip.reload")}
          </Button>
        </>
      );
    case "testBuild":
      return <strong>{testBuild}</strong>;
    case "expiryWarning":
    case "expiryInfo":
      return <span>{expiryWords(t, daysLeft)}</span>;
  }
}

/** Remaining whole days; without an expiry date only a demonstration has a notice. */
export function expiryWords(t: TFunction<"shell">, daysLeft: number | null): string {
  if (daysLeft === null) return t("strip.demo");
  if (daysLeft < 0) return t("strip.ended");
  return daysLeft === 0 ? t("strip.endsToday") : t("strip.ends", { count: daysLeft });
}

/**
 * The expiry that concerns this user: in the server build the licence, in the cloud the company, for its
 * administrators.
 */
export function useShownExpiry() {
  const { access, company } = useSession();
  const { data: site } = useCall(shell.siteProperties, {}, { isQuiet: true, freshMs: Infinity });
  const isConcerned = site?.build_type === "server" || access.is_admin;
  return isConcerned ? { ...expiryOf(access, company), build: site?.build_type ?? "cloud" } : null;
}
