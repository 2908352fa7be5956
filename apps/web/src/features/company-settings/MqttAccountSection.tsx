import { mqttAccount, type MqttAccount } from "@metrum/contract";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { exchange, reasonOf, refetch, useCall } from "#lib/call";
import { formatDateTime } from "#lib/format";
import { useSession } from "#lib/session";
import { Button, IconButton } from "#ui/button";
import { confirm } from "#ui/dialog";
import { SettingsRow, SettingsSection } from "#ui/settings";
import { Skeleton } from "#ui/skeleton";
import { snack } from "#ui/snackbar";
import { ErrorState } from "#ui/states";
import { StatusGlyph } from "#ui/status";

/** With what a publisher of the company signs in to the broker. A new password is shown once, here. */
export function MqttAccountSection() {
  const { t } = useTranslation(["companySettings", "common"]);
  const query = useCall(mqttAccount.get, {}, { isQuiet: true });
  const [password, setPassword] = useState("");
  const title = t("mqttAccount.title");
  if (query.isError)
    return (
      <SettingsSection title={title}>
        <ErrorState
          title={t("mqttAccount.failed")}
          message={reasonOf(query.error, t("common:error.offline")) ?? null}
          onRetry={() => void query.refetch()}
        />
      </SettingsSection>
    );
  if (!query.data)
    return (
      <SettingsSection title={title}>
        <Skeleton height={120} />
      </SettingsSection>
    );
  const { username, prefix, address } = query.data;
  if (!address) return <SettingsSection title={title} text={t("mqttAccount.elsewhere")} />;
  return (
    <SettingsSection title={title} text={t("mqttAccount.about")}>
      <Copied title={t("mqttAccount.address")} value={`${address.host}:${String(address.port)}`} />
      <Copied title={t("mqttAccount.username")} value={username} />
      <Copied title={t("mqttAccount.prefix")} value={prefix} />
      <PasswordLine account={query.data} onIssued={setPassword} />
      {password === "" ? null : <Issued password={password} onDone={() => setPassword("")} />}
    </SettingsSection>
  );
}

function Copied({ title, value }: { readonly title: string; readonly value: string }) {
  const { t } = useTranslation("companySettings");
  return (
    <SettingsRow title={title} text={<span className="mqtt-value">{value}</span>}>
      <IconButton
        icon="copy"
        label={t("mqttAccount.copyOf", { title, value })}
        onClick={() => void copy(value, t("mqttAccount.copied"))}
      />
    </SettingsRow>
  );
}

interface PasswordProps {
  readonly account: MqttAccount;
  readonly onIssued: (password: string) => void;
}

function PasswordLine({ account, onIssued }: PasswordProps) {
  const { t } = useTranslation("companySettings");
  const [isBusy, setBusy] = useState(false);
  const issue = async () => {
    const isSure = await confirm({
      title: t("mqttAccount.issueTitle"),
      text: t(account.has_password ? "mqttAccount.issueText" : "mqttAccount.firstText"),
      action: t("mqttAccount.issueAction"),
      isHarmful: account.has_password,
    });
    if (!isSure) return;
    setBusy(true);
    // A refusal is told by the call itself.
    const answer = await exchange(mqttAccount.issue, {}).catch(() => undefined);
    setBusy(false);
    if (!answer) return;
    onIssued(answer.data.password);
    snack(answer.msg);
    await refetch(mqttAccount.get);
  };
  return (
    <SettingsRow title={t("mqttAccount.password")} text={<Since account={account} />}>
      <Button isBusy={isBusy} onClick={() => void issue()}>
        {t("mqttAccount.issue")}
      </Button>
    </SettingsRow>
  );
}

function Since({ account }: { readonly account: MqttAccount }) {
  const { t } = useTranslation("companySettings");
  const { zone } = useSession();
  const { has_password, issued_at, issued_by } = account;
  if (!has_password) return t("mqttAccount.none");
  if (issued_at === null) return t("mqttAccount.byServer");
  const date = formatDateTime(issued_at, zone);
  return issued_by === null
    ? t("mqttAccount.issuedAt", { date })
    : t("mqttAccount.issuedBy", { date, name: issued_by });
}

function Issued({ password, onDone }: { readonly password: string; readonly onDone: () => void }) {
  const { t } = useTranslation("companySettings");
  return (
    <div className="mqtt-issued">
      <p role="status">
        <StatusGlyph kind="warn" />
        {t("mqttAccount.once")}
      </p>
      <code>{password}</code>
      <div className="mqtt-actions">
        <Button icon="copy" onClick={() => void copy(password, t("mqttAccount.copied"))}>
          {t("mqttAccount.copy")}
        </Button>
        <Button kind="primary" onClick={onDone}>
          {t("mqttAccount.saved")}
        </Button>
      </div>
    </div>
  );
}

async function copy(value: string, told: string): Promise<void> {
  await navigator.clipboard.writeText(value);
  snack({ kind: "brief", text: told });
}
