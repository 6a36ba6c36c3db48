import { chromium } from "playwright-core";
const base = "http://127.0.0.1:8815", password = process.argv[2];
const b = await chromium.launch({executablePath:"/usr/bin/chromium",args:["--no-sandbox"]});
const out = "/tmp/f15/pics/";
for (const [w,h] of [[390,844],[1440,900]]) {
  const c = await b.newContext({ viewport: { width: w, height: h }, hasTouch: w<500, isMobile: w<500 });
  const p = await c.newPage();
  await p.goto(base+"/export-data");
  const r = await p.request.post(base+"/api/admin/session", { data: { password }, headers: { origin: base } });
  console.log(r.status());
  await p.goto(base+"/export-data"); await p.getByText("Needs your attention").waitFor();
  const att = await (await p.request.get(base+"/api/attention")).json();
  if (w<500) for (const i of att.items) console.log(i.path, "|", i.sentence);
  await p.locator(".attention").screenshot({ path: out+`attention-${w}.png` });
  await p.goto(base+"/export-data/speaker-applications?status=due&sort=createdAt"); await p.waitForTimeout(1500);
  await p.screenshot({ path: out+`due-${w}.png` });
  const list = await (await p.request.get(base+"/api/competition-entries?status=paid&pageSize=100")).json();
  let id; for (const e of list.items) { const d = await (await p.request.get(base+"/api/competition-entries/"+e.id)).json(); if (d.oneCategoryCents) { id = e.id; console.log(id, d.paymentAmount, d.additionalCategories, d.oneCategoryCents); break; } }
  if (id) { await p.goto(base+"/export-data/competition-entries?id="+id); const f = p.locator(".refund"); await f.waitFor(); await f.screenshot({ path: out+`refund-${w}.png` });
    const l = await p.request.post(base+`/api/competition-entries/${id}/receipt-link`, { headers: { origin: base } }); const url = (await l.json()); console.log(JSON.stringify(url));
    const u = url.url ?? url.link; await p.goto(u.replace(/^https?:\/\/[^/]+/, base)); await p.screenshot({ path: out+`receipt-${w}.png`, fullPage: true }); }
  const mails = await (await p.request.get(base+"/api/outbox?pageSize=200")).json();
  if (w<500) { const seen = new Set(); for (const m of mails.items) { const k = m.subject.replace(/\d+/g,"#"); if (!seen.has(k)) { seen.add(k); console.log("MAIL", m.subject.slice(0,40), "||", m.subject.slice(40)); } } }
  const m = mails.items.find(m => /^Your entry \d+ is paid/.test(m.subject)); console.log(m?.subject);
  if (m) { await p.goto(base+`/api/outbox/${m.id}/html`); await p.screenshot({ path: out+`mail-${w}.png`, fullPage: true }); }
  await c.close();
}
await b.close();
