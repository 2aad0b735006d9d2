import { cpSync, mkdtempSync, mkdirSync, readFileSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'vitest';
import { heavyWorkHere } from './heavyWorkHere.ts';
import { startEngine } from './startEngine.ts';
const folder = new URL('../../e2e/fixtures/wallets/', import.meta.url);
it('x', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'engine-'));
  for (const n of readdirSync(folder)) { mkdirSync(join(dir,'wallets',n),{recursive:true}); cpSync(new URL(`${n}/wallet.dat`,folder), join(dir,'wallets',n,'wallet.dat')); }
  const e = await startEngine({ wallets: join(dir,'wallets'), chain:'regtest', release:28, host:'127.0.0.1', port:0, cookie:null, login:null, walletWarningField:false, heavyWork: heavyWorkHere });
  const auth = `Basic ${Buffer.from(readFileSync(e.cookie,'utf8')).toString('base64')}`;
  const call = async (method: string, params: unknown, path='/') => { const r = await fetch(e.url+path,{method:'POST',headers:{authorization:auth},body:JSON.stringify({jsonrpc:'2.0',id:1,method,params})}); return JSON.parse(await r.text()); };
  for (const n of readdirSync(folder)) {
    const t=performance.now(); const l = await call('loadwallet',[n]); const t2=performance.now();
    const facts = JSON.parse(readFileSync(new URL(`${n}/facts.json`,folder),'utf8')).before;
    const i = await call('getwalletinfo',[],`/wallet/${n}`); console.log(n, l.error ?? 'ok', Math.round(t2-t), Math.round(performance.now()-t2));
    const cmp=(a: any,b: any, what: string)=>{ for(const k of new Set([...Object.keys(a??{}),...Object.keys(b??{})])) if(JSON.stringify(a?.[k])!==JSON.stringify(b?.[k])) console.log('  ',what,k,'facts',JSON.stringify(a?.[k])?.slice(0,300),'ours',JSON.stringify(b?.[k])?.slice(0,300)); };
    cmp(facts.getwalletinfo,i.result,'info');
    cmp(facts.getbalances?.mine,(await call('getbalances',[],`/wallet/${n}`)).result?.mine,'bal'); cmp(facts.getbalances?.watchonly,(await call('getbalances',[],`/wallet/${n}`)).result?.watchonly,'balw');
    const u=(await call('listunspent',[0],`/wallet/${n}`)); if(u.error) console.log(u.error);
    const key=(x: any)=>x.txid+':'+x.vout; const ours=new Map(u.result?.map((x: any)=>[key(x),x])); 
    for(const x of facts.listunspent){ const o: any=ours.get(key(x)); if(!o){console.log('  missing',key(x));continue;} const {confirmations, ...rest}=o; cmp(x,rest,'unspent'); ours.delete(key(x)); }
    for (const k of ours.keys()) console.log('  extra coin',k);
    if (facts.listdescriptors) { const d=(await call('listdescriptors',[],`/wallet/${n}`)).result; cmp(facts.listdescriptors.descriptors, d.descriptors,'desc');
      if(facts.listdescriptors_private){ const d=(await call('listdescriptors',[true],`/wallet/${n}`)).result; cmp(facts.listdescriptors_private.descriptors, d.descriptors,'descp');} }
    const tx=(await call('listtransactions',['*',1000],`/wallet/${n}`)); const ids=[...new Set(tx.result.map((t: any)=>t.txid))].sort(); if(JSON.stringify(ids)!==JSON.stringify([...facts.transactions].sort())) console.log('  txs',ids,facts.transactions, tx.error);
  }
  await e.stop();
});
