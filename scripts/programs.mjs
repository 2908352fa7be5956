// External programs that tests compare with. Where everything must hold they are installed; elsewhere their
// tests are skipped.
import { existsSync } from "node:fs";
import { root } from "./install.mjs";
import { run } from "./run.mjs";

/** Debian packages by a file that each brings. */
const wanted = {
  mosquitto: "/usr/sbin/mosquitto",
  socat: "/usr/bin/socat",
  mbpoll: "/usr/bin/mbpoll",
  "python3-pymodbus": "/usr/lib/python3/dist-packages/pymodbus/__init__.py",
  slapd: "/usr/sbin/slapd",
};

/** Whether a skipped test is a failure here. */
export const isProof = !["", "false", "0"].includes(process.env.CI ?? "");

/**
 * Installs missing ones if possible: as root, with apt-get. The skipped tests report those that are still
 * missing.
 */
export async function ensurePrograms() {
  const missing = Object.keys(wanted).filter((name) => !existsSync(wanted[name]));
  if (missing.length === 0 || process.getuid?.() !== 0 || !existsSync("/usr/bin/apt-get")) return;
  console.log(`Installing ${missing.join(", ")} (apt-get) ...`);
  // Only the programs are needed: without a run level none of them is started as a service.
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive", RUNLEVEL: "1" };
  const options = { cwd: root, env, prefix: "apt   | " };
  await run("apt-get", ["update", "-qq"], options);
  await run("apt-get", ["install", "-y", "-qq", "--no-install-recommends", ...missing], options);
}
