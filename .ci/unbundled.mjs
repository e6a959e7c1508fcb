// Leaves in package.json, in an image that is being built, only the dependencies that the bundle still asks for by name.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';

const code = readdirSync('dist/bundle').map((name) => readFileSync(`dist/bundle/${name}`, 'utf8'));
const manifest = JSON.parse(readFileSync('package.json', 'utf8'));
const named = (name) => code.some((text) => new RegExp(`\\b(?:import\\(?|from)\\s*["'\`]${name}["'\`]`).test(text));
const { name, version, license, type, dependencies } = manifest;
const left = Object.fromEntries(Object.entries(dependencies).filter(([name]) => named(name)));
if (Object.keys(left).length === 0) throw new Error('the bundle asks for no package at all: look at rolldown.config.ts');
writeFileSync('package.json', JSON.stringify({ name, version, license, type, dependencies: left }, undefined, 2));
console.log('kept as packages:', Object.keys(left).join(', '));
