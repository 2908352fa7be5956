import { ownSessions, type OwnSession } from "@metrum/contract/access";
import { useTranslation } from "react-i18next";
import { exchange, ignoreFailure, reasonOf, refetch, useCall } from "#lib/call";
import { formatTimeDate, useFormat } from "#lib/format";
import { useSession } from "#lib/session";
import { Button } from "#ui/button";
import { confirm } from "#ui/dialog";
import { Icon } from "#ui/icon";
import { SettingsSection } from "#ui/settings";
import { Skeleton } from "#ui/skeleton";
import { snack } from "#ui/snackbar";
import { ErrorState } from "#ui/states";
import { Status } from "#ui/status";
import { deviceOf } from "./device.ts";

/** Ends a session or a token; the call reports a failure. */
export async function endSessionById(id: number): Promise<void> {
  const { msg } = await exchange(ownSessions.end, { params: { id: String(id) } });
  if (msg) snack({ text: msg });
  await refetch(ownSessions.list, ownSessions.tokens);
}

export function SessionsSection() {
  const { t } = useTranslation("profile");
  const { data, error, refetch: again } = useCall(ownSessions.list, {}, { isQuiet: true, freshMs: 0 });
  const sessions = data?.sessions ?? [];
  const endOthers = async () => {
    const isSure = await confirm({
      title: t("sessions.endOthers"),
      text: t("sessions.endOthersText"),
      action: t("sessions.endOthersAction"),
      isHarmful: true,
    });
    if (!isSure) return;
    const { msg } = await exchange(ownSessions.endOthers, {});
    if (msg) snack({ text: msg });
    await refetch(ownSessions.list);
  };
  return (
    <SettingsSection
      title={t("sessions.title")}
      text={t("sessions.text")}
      actions={
        sessions.length > 1 ? (
          <Button onClick={() => void endOthers().catch(ignoreFailure)}>{t("sessions.endOthers")}</Button>
        ) : undefined
      }
    >
      {error ? (
        <ErrorState title={t("sessions.failed")} message={reasonOf(error)} onRetry={() => void again()} />
      ) : data ? (
        <ul className="profile-list">
          {sessions.map((each) => (
            <Row key={each.id} session={each} />
          ))}
        </ul>
      ) : (
        <Skeleton height={120} />
      )}
    </SettingsSection>
  );
}

function Row({ session }: { readonly session: OwnSession }) {
  const { t } = useTranslation("profile");
  const { age } = useFormat();
  const { zone } = useSession();
  const { program, system, isPhone } = deviceOf(session.user_agent);
  const name = [program, system].filter((each) => each !== null).join(", ") || t("sessions.unknown");
  const seen = Math.max(0, Math.floor(Date.now() / 1000) - session.last_seen);
  return (
    <li>
      <Icon name={isPhone ? "phone" : "monitor"} />
      <div>
        <strong title={session.user_agent ?? undefined}>
          {session.is_staff ? t("sessions.staff") : name}
        </strong>
        <small>
          {t("sessions.facts", {
            address: session.ip_address ?? "–",
            since: formatTimeDate(session.created_at, zone),
          })}
        </small>
      </div>
      {session.current ? (
        <Status kind="ok">{t("sessions.current")}</Status>
      ) : (
        <>
          <span className="profile-age">{t("sessions.seen", { age: age(seen) })}</span>
          <Button
            size="small"
            aria-label={t("sessions.endOf", { name })}
            onClick={() => void endSessionById(session.id).catch(ignoreFailure)}
          >
            {t("sessions.end")}
          </Button>
        </>
      )}
    </li>
  );
}
