import { auth, currentCompany, users } from "@metrum/contract/access";
import { devices } from "@metrum/contract/metering";
import { shell } from "@metrum/contract/platform";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestApi, type TestApi } from "#testing/api";

let cloud: TestApi;
let server: TestApi;
beforeAll(async () => {
  cloud = await openTestApi();
  server = await openTestApi({
    env: { METRUM_BUILD_TYPE: "server", METRUM_SOCKET_URL: "https://live.example" },
  });
});
afterAll(() => Promise.all([cloud.close(), server.close()]));

test("PROD-018 PROD-027 the site settings have the build type; kerberos and ldap are off by default", async () => {
  const [inCloud, onServer] = [await cloud.ask(shell.siteProperties), await server.ask(shell.siteProperties)];

  expect(inCloud.data).toMatchObject({ build_type: "cloud", is_kerberos: false, ldap_support: false });
  expect(onServer.data).toMatchObject({ build_type: "server", use_random_password: false });
});

test("NOTIF-014 the address of the socket is that of the environment; without one, the origin of the page", async () => {
  expect((await server.ask(shell.siteProperties)).data.socket_url).toBe("https://live.example");
  expect((await cloud.ask(shell.siteProperties)).data.socket_url).toBe("");
});

test("PROD-017 PROD-029 a host without its own design gets the default one", async () => {
  const response = await cloud.fastify.inject({
    url: "/api/personal_design",
    headers: { host: "unknown.example" },
  });

  expect(response.statusCode).toBe(200);
  expect(response.json<{ data: object }>().data).toMatchObject({
    title: "Metrum",
    logo_cloud: null,
    logo_cloud_en: null,
    linkToHelp: null,
  });
});

test("PROD-015 the design has working demo credentials, and none in the server build", async () => {
  const { demo } = (await cloud.ask(shell.design)).data;
  const answer = await cloud.ask(auth.login, { input: { body: demo ?? { email: "", password: "" } } });

  expect(answer.status).toBe(200);
  expect((await server.ask(shell.design)).data.demo).toBeNull();
});

test("ACL-011 the provider is company 51 in the cloud build and 1 in the server build", async () => {
  const companyOf = async (api: TestApi): Promise<number> => {
    const token = await api.token("admin@metrum.example");
    return (await api.ask(currentCompany.own, { token })).data.company.id;
  };

  expect([await companyOf(cloud), await companyOf(server)]).toEqual([51, 1]);
  const { data } = await server.ask(users.access, { token: await server.token("admin@metrum.example") });
  expect(data.is_platform).toBe(true);
});

test("ACL-014 devices are read with read on 4 and not without", async () => {
  const statusOf = async (name: string): Promise<number> => {
    const token = await cloud.token(`${name}@metrum.example`);
    return (await cloud.ask(devices.list, { token, input: { body: {} } })).status;
  };

  expect([await statusOf("viewer"), await statusOf("operator"), await statusOf("norights")]).toEqual([
    200, 200, 403,
  ]);
});
