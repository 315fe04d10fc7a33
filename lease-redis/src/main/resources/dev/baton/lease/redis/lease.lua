-- SPDX-License-Identifier: Apache-2.0
-- All that is ever done to a named semaphore, each in one step; and several such steps, of several names, in one call.
--
-- KEYS: for each name cfg hold held wait slot wmeta, all with the name as their hash tag.
-- ARGV: the prefix of the channels, the calling process; then for each name how many operations there are, and of each its own name, how many
-- arguments it has, and those.
-- Answers: one for each operation, in their order; one that failed is E and the reason. Then, if there is any, what was granted to requests of
-- the calling process that waited: id, token, slots and limit of each. Nobody else is told of that.
-- Times are milliseconds of this server. Every operation may be repeated: ids are made by clients.
local CHANNELS, PROCESS = ARGV[1], ARGV[2]
local call, try, match, find, sub = redis.call, redis.pcall, string.match, string.find, string.sub
local clock = call('TIME')
local MICROS = clock[1] .. sub('00000' .. clock[2], -6)
local micros = tonumber(MICROS)
local NOW = math.floor(micros / 1000)

local NOWTEXT = sub(MICROS, 1, -4)

local answers = {}
local told = {}           -- what was granted to requests of the caller that waited
local rest = nil          -- what is seen to further down: where the keys are, where the operations are, where the answers go, how many there are

local CLAIM = 5000        -- how long a grant that was not asked for waits to hear of its process
local HOLDERS = 16        -- how many may hold where they stand in one text, which is written anew each time
local SLICE = 64          -- as much as one call does of what others have left

-- cfg: counters of what is rare, and the state of the name: permits in use, whether somebody may wait (1), how far the clock was set back, last
-- token, leases granted, leases released, the last time that was seen, last ticket; and what seldom changes: limit, until when the expiry of cfg
-- need not be put off, declared limit, how long the keys last.
--
-- The short form: where few hold the name, a permit each, they stand behind the state in the same text, and the keys hold, held and slot do not
-- exist. First a time before which nobody's lease is over, and which slots are taken (1), the first first; then each of them in a line: id, process,
-- whether somebody has it (1) or has to claim it first (0), token, deadline, slot, hard deadline (0: none), granted at, window, ttl that begins when
-- it is claimed (0: none), label. What is not done up here first puts them where the long form has them: several permits, beats, looks, a clock that
-- was set back, a time that is over, a limit that is another, what is held and asked for again.
local key, at, index = 1, 3, 1
local WINDOW, TTL         -- mostly all requests of a call have the same, and then this, too:
local DEADLINE, SOONER    -- until when a lease is kept that was asked for, and one that a request has that waited
local ASKED, GIVEN        -- what is written of such leases between token and slot, and what behind that
local BEHIND_SLOT
local BEFORE, BEHIND      -- what stands around the id of a lease nobody competes for
local PLACE               -- what is written of one who waits and has no label
while ARGV[at] do
  local left, what, n = tonumber(ARGV[at]), ARGV[at + 1], ARGV[at + 2]
  local known = try('HGET', KEYS[key], 'state')
  at = at + 1
  if type(known) ~= 'string' then
    known = nil

  -- One permit where nobody holds or waits, and giving it back: most of what is ever asked for.
  elseif left == 1 and what == 'acquire' and (n == '4' or n == '6') then
    local token, granted, after, seen, limit, fresh = match(known, '^0 0 0 (%d+) (%d+)( %d+ (%d+) %d+ (%d+) (%d+) %d+ %d+)$')
    if limit == ARGV[at + 3] and micros - token > 0 and NOW - seen >= 0 and fresh - NOW >= 0 then
      local window, ttl, label = ARGV[at + 4], ARGV[at + 5], n == '6' and ARGV[at + 7] or ''
      if window ~= WINDOW or ttl ~= TTL or not BEFORE then
        WINDOW, TTL, PLACE, DEADLINE = window, ttl, nil, nil
        local deadline = NOW + ((ttl == '0' or ttl - window > 0) and window or ttl)
        BEFORE = ' ' .. deadline .. ' 1\n'
        BEHIND = ' ' .. PROCESS .. ' 1 ' .. MICROS .. ' ' .. deadline .. ' 1 ' .. (ttl == '0' and ttl or NOW + ttl) .. ' ' .. NOWTEXT .. ' ' .. window .. ' 0 '
      end
      if find(label, '[%c %%]') then
        label = string.gsub(label, '[%c %%]', function(c) return string.format('%%%02X', string.byte(c)) end)
      end
      if try('HSET', KEYS[key], 'state', '1 0 0 ' .. MICROS .. ' ' .. granted + 1 .. after .. BEFORE .. ARGV[at + 2] .. BEHIND .. label) == 0 then
        answers[index] = MICROS
        at, index, left = at + 2 + n, index + 1, 0
      end
    end
  elseif left == 1 and what == 'release' and n == '2' then
    local before, token, released, after, seen, id, process, deadline = match(known,
      '^1 0 0 ((%d+) %d+) (%d+)( (%d+) %d+ %d+ %d+ %d+ %d+) %d+ %d+\n(%S+) (%S+) 1 %d+ (%d+) ')
    if id == ARGV[at + 3] and process == PROCESS and deadline - NOW > 0 and NOW - seen >= 0 and micros - token >= 0
        -- A server without room refuses this; further down it is allowed.
        and try('HSET', KEYS[key], 'state', '0 0 0 ' .. before .. ' ' .. released + 1 .. after) == 0 then
      answers[index] = 1
      at, index, left = at + 4, index + 1, 0
    end
  end

  -- The short form. What is done to it is done to its text, which is read once and written once; so is what is done to the line.
  local USED, LINE, TOKEN, GRANTED, RELEASED, SEEN, TICKET, SELDOM, LIMIT, FRESH, KEEP, tail
  if left > 0 and known then
    USED, LINE, TOKEN, GRANTED, RELEASED, SEEN, TICKET, SELDOM, LIMIT, FRESH, KEEP, tail = match(known,
      '^(%d+) (%d) 0 (%d+) (%d+) (%d+) (%d+) (%d+) ((%d+) (%d+) %d+ (%d+))()')
  end
  if USED and NOW - SEEN >= 0 and NOW - math.floor(TOKEN / 1000) >= 0 and FRESH - NOW >= 0 and (tail <= #known or USED == '0' and LINE == '0') then
    local used, token, granted, released, ticket, limit = USED + 0, TOKEN + 0, GRANTED + 0, RELEASED + 0, TICKET + 0, LIMIT + 0
    local line = LINE == '1'
    local soon, slots, holders = math.huge, '', ''
    if used > 0 then
      soon, slots, holders = match(known, '^ (%d+) (%d+)(.*)$', tail)
      soon = soon + 0
      if soon <= NOW then
        -- Mostly those for whom it was noted have gone.
        soon = math.huge
        for deadline in string.gmatch(holders, '\n%S+ %S+ %d %d+ (%d+)') do
          soon = math.min(soon, deadline)
        end
      end
    end
    local WAIT, WMETA = KEYS[key + 3], KEYS[key + 5]
    local ids, metas, all, first = {}, nil, false, 0   -- who is first in line, whether these are all, and the last of them who was looked at
    local gone = {}                                    -- those of them who leave it
    local came, mine, head = {}, {}, 1                 -- who comes: id (false: served), ticket, what is written of it; where, by id; and the first who still waits
    local newest, answered, next = TOKEN, index, at
    local messages, late, grants = nil, 0, #told
    while left > 0 and soon > NOW do
      what, n = ARGV[next], ARGV[next + 1]
      local answer, id, process, window, ttl, label, asked, place    -- the latter: who is granted something, and which slot if that is known
      if what == 'acquire' and (n == '4' or n == '6') then
        id, window, ttl, label = ARGV[next + 2], ARGV[next + 4], ARGV[next + 5], n == '6' and ARGV[next + 7] or ''
        if ARGV[next + 3] ~= LIMIT or mine[id] or used > 0 and find(holders, '\n' .. id .. ' ', 1, true) then
          break
        end
        if used < limit then
          if line or used >= HOLDERS then
            break
          end
          asked, process = true, PROCESS
        elseif n == '6' and ARGV[next + 6] == 'try' then
          late = late + 1
          answer, id = {'N'}, nil
        else
          if window ~= WINDOW or ttl ~= TTL or not PLACE then
            WINDOW, TTL, BEFORE, DEADLINE = window, ttl, nil, nil
            PLACE = '[1,"' .. window .. '","' .. ttl .. '","' .. PROCESS .. '","","' .. NOWTEXT .. '",' .. NOW + window .. ']'
          end
          ticket, line = ticket + 1, true
          local last = #came
          came[last + 1] = id
          came[last + 2] = ticket
          came[last + 3] = label == '' and PLACE or '[1,"' .. window .. '","' .. ttl .. '","' .. PROCESS .. '",' .. cjson.encode(label) .. match(PLACE, ',"%d+",%d+%]$')
          mine[id] = last + 1
          answer, id = soon - NOW, nil
        end
      elseif what == 'release' and n == '2' then
        local how, over = ARGV[next + 2], ARGV[next + 3]
        local from = find(holders, '\n' .. over .. ' ', 1, true)
        if from then
          local owner, claimed, slot = match(holders, '^(%S+) (%d) %d+ %d+ (%d+) ', from + #over + 2)
          if owner ~= PROCESS or claimed == '0' and how == 'bare' or find(over, ' ', 1, true) then
            break
          end
          -- Who has it next; if that is not plain, nothing has been done yet.
          local odd = false
          while line and used <= limit and not id and not odd do
            local meta
            if first == #ids and not all then
              -- About half of what is asked for is given back.
              local few = math.floor(left / 2) + 1
              ids = call('ZRANGE', WAIT, #gone, #gone + few)
              metas = ids[1] and call('HMGET', WMETA, unpack(ids))
              first, all = 0, #ids <= few
            end
            if first < #ids then
              id, meta = ids[first + 1], metas[first + 1]
            else
              while came[head] == false do
                head = head + 3
              end
              id, meta = came[head], came[head + 2]
            end
            if not id then
              line = false
            else
              local alive
              window, ttl, process, alive = match(meta or '', '^%[1,"(%d+)","(%d+)","([^"]+)","","%d+",(%d+)%]$')
              label = '""'
              if not window then
                window, ttl, process, label, alive = match(meta or '', '^%[1,"(%d+)","(%d+)","([^"]+)",(".*"),"%d+",(%d+)%]$')
              end
              odd = not window or #gone >= SLICE
              if not odd then
                local again = false
                if first < #ids then
                  first = first + 1
                  gone[#gone + 1] = id
                  again = mine[id]
                  if again then
                    -- It has asked once more: so it is alive, and has this place and no other.
                    came[again] = false
                  end
                else
                  head = head + 3
                end
                if alive - NOW < 0 and not again then
                  id = nil
                else
                  label = label == '""' and '' or cjson.decode('[' .. label .. ']')[1]
                end
              end
            end
          end
          if odd then
            break
          end
          local to = find(holders, '\n', from + 1, true)
          holders = to and sub(holders, 1, from - 1) .. sub(holders, to) or sub(holders, 1, from - 1)
          if id and not find(slots, '0', 1, true) then
            -- It is the only one that is free.
            place = slot
          else
            slots = sub(slots, 1, slot - 1) .. '0' .. sub(slots, slot + 1)
          end
          used, released = used - 1, released + 1
          answer = 1
        elseif how == 'bare' then
          answer = {'UNKNOWN'}
        elseif #ids > 0 or #came > 0 then
          break
        elseif call('ZREM', WAIT, over) == 1 then
          call('HDEL', WMETA, over)
          late = how == 'timedout' and late + 1 or late
          answer = {'CANCELLED'}
        else
          answer = {'UNKNOWN'}
        end
      elseif what == 'claim' and n == '2' then
        local given = ARGV[next + 2]
        local from = find(holders, '\n' .. given .. ' ', 1, true)
        if from then
          local same, owner, number, slot, hard, since, length, later, to = match(holders,
            '^\n(%S+) (%S+) %d (%d+) %d+ (%d+) (%d+) (%d+) (%d+) (%d+)()', from)
          if same ~= given then
            break
          end
          if later ~= '0' then
            hard = NOW + later
          end
          local deadline = NOW + ARGV[next + 3]
          if hard ~= '0' and hard - deadline < 0 then
            deadline = hard + 0
          end
          soon = math.min(soon, deadline)
          holders = sub(holders, 1, from) .. given .. ' ' .. owner .. ' 1 ' .. number .. ' ' .. deadline .. ' ' .. slot .. ' ' .. hard .. ' ' .. since .. ' '
            .. length .. ' 0' .. sub(holders, to)
          answer = {'G', number, slot, hard == '0' and -1 or hard - NOW, limit}
        else
          answer = {'U'}
        end
      else
        break
      end
      if id then
        if window ~= WINDOW or ttl ~= TTL or not DEADLINE then
          WINDOW, TTL, BEFORE, PLACE = window, ttl, nil, nil
          local hard = ttl == '0' and math.huge or NOW + ttl
          -- A process that has died in this moment is not waited for as long as one that has asked.
          DEADLINE, SOONER = math.min(NOW + window, hard), math.min(NOW + window, NOW + CLAIM, hard)
          ASKED, GIVEN = ' ' .. DEADLINE .. ' ', ' ' .. SOONER .. ' '
          BEHIND_SLOT = ' ' .. (ttl == '0' and ttl or hard) .. ' ' .. NOWTEXT .. ' ' .. window .. ' 0 '
        end
        token = math.max(token + 1, micros)
        newest = token == micros and MICROS or string.format('%.0f', token)
        local slot = place
        if not slot then
          slot = find(slots, '0', 1, true) or #slots + 1
          slots = sub(slots, 1, slot - 1) .. '1' .. sub(slots, slot + 1)
          slot = slot .. ''
        end
        if find(label, '[%c %%]') then
          label = string.gsub(label, '[%c %%]', function(c) return string.format('%%%02X', string.byte(c)) end)
        end
        local deadline = asked and DEADLINE or SOONER
        if process == PROCESS then
          holders = holders .. '\n' .. id .. ' ' .. process .. ' 1 ' .. newest .. (asked and ASKED or GIVEN) .. slot .. BEHIND_SLOT .. label
        else
          -- Nobody has it yet whose time could begin.
          deadline = NOW + math.min(window, CLAIM)
          holders = holders .. '\n' .. id .. ' ' .. process .. ' 0 ' .. newest .. ' ' .. deadline .. ' ' .. slot .. ' 0 ' .. NOWTEXT .. ' ' .. window .. ' ' .. ttl
            .. ' ' .. label
        end
        used, granted = used + 1, granted + 1
        if deadline < soon then
          soon = deadline
        end
        if asked then
          answer = newest .. ' ' .. slot .. ' ' .. LIMIT
        elseif process == PROCESS then
          told[#told + 1] = id .. ' ' .. newest .. ' ' .. slot .. ' ' .. LIMIT
        else
          messages = messages or {}
          messages[#messages + 1] = CHANNELS .. process
          messages[#messages + 1] = 'GRANTED\n' .. id
        end
      end
      answers[answered] = answer
      answered, next, left = answered + 1, next + 2 + n, left - 1
    end
    if answered > index then
      if gone[1] then
        -- First: a server without room allows this, and then the rest.
        call('ZREM', WAIT, unpack(gone))
        call('HDEL', WMETA, unpack(gone))
      end
      local text = (used == USED + 0 and USED or used) .. (line and ' 1 0 ' or ' 0 0 ') .. newest .. ' ' .. granted .. ' ' .. released .. ' ' .. NOWTEXT .. ' ' .. ticket .. ' ' .. SELDOM
        .. (used > 0 and ' ' .. soon .. ' ' .. slots .. holders or '')
      if try('HSET', KEYS[key], 'state', text) == 0 then
        at, index, known = next, answered, text
        if late > 0 then
          call('HINCRBY', KEYS[key], 'timedout', late)
        end
        local places, details = {}, {}
        for i = head, #came, 3 do
          if came[i] then
            places[#places + 1] = came[i + 1]
            places[#places + 1] = came[i]
            details[#details + 1] = came[i]
            details[#details + 1] = came[i + 2]
          end
        end
        if places[1] then
          -- Whoever asks again keeps its place, and the time at which it came.
          if 2 * call('ZADD', WAIT, 'NX', unpack(places)) ~= #places then
            for i = 1, #details, 2 do
              local before = call('HGET', WMETA, details[i])
              if before then
                details[i + 1] = match(before, '^(.*,)%d+%]$') .. match(details[i + 1], '(%d+%])$')
              end
            end
          end
          call('HSET', WMETA, unpack(details))
          -- The keys of a line go by themselves if nobody ever comes again.
          if first == #ids and 2 * call('ZCARD', WAIT) == #places then
            -- In a set of few and short ones the place of each is looked for from the beginning; one of the other kind stays that.
            local long = string.rep('-', 65)
            call('ZADD', WAIT, 0, long)
            call('ZREM', WAIT, long)
            call('PEXPIRE', WAIT, KEEP)
            call('PEXPIRE', WMETA, KEEP)
          end
        end
        for i = 1, messages and #messages or 0, 2 do
          call('PUBLISH', messages[i], messages[i + 1])
        end
      else
        -- Without room: nothing has been done.
        left = left + answered - index
        for i = #told, grants + 1, -1 do
          told[i] = nil
        end
      end
    end
  end

  if left > 0 then
    rest = rest or {}
    rest[#rest + 1] = {key, at, index, left, known}
  end
  for _ = 1, left do
    at = at + 2 + ARGV[at + 1]
  end
  index = index + left
  key = key + 6
end
if not rest then
  if told[1] then
    answers[index] = told
  end
  return answers
end

local DAY = 86400000
local HOUR = 3600000

local CFG, HOLD, HELD, WAIT, SLOT, WMETA
local state, used, line, shift, token, granted, released, seen, ticket, limit, fresh, declared, keep
local seldom              -- the text of what seldom changes; nil if it has
local short               -- the text of those who hold it in the short form, as long as it has that
local newest              -- the text of the last token
local now                 -- as the name has it
local grants              -- how many leases had been granted when the operation began
local before              -- how many when the call did
local changed             -- something was done at this time
local reaped              -- whose time was over
local soonest             -- when the first of the holders is over, or was when somebody last looked
local more                -- others may have left more than was looked at
local freed               -- slots that are free, though that is not written down yet: mostly the next in line has them at once

-- The rest of this file is one function. What is declared above is looked for once, when it is made, and not again for each function in it, which
-- would take longer than most operations do.
local function others()

-- The text of a token, without losing digits. Other numbers do not need it.
local function number(n)
  return string.format('%.0f', n)
end

-- A label as the short form has it, which is without spaces and ends of lines.
local function plain(label)
  return (string.gsub(label, '[%c %%]', function(c) return string.format('%%%02X', string.byte(c)) end))
end

-- Begins with the name whose keys are there.
local function load(first, known)
  CFG, HOLD, HELD, WAIT, SLOT, WMETA = KEYS[first], KEYS[first + 1], KEYS[first + 2], KEYS[first + 3], KEYS[first + 4], KEYS[first + 5]
  state = known or call('HGET', CFG, 'state')
  local USED, LINE, SHIFT, GRANTED, RELEASED, SEEN, TICKET, LIMIT, FRESH, DECLARED, KEEP
  USED, LINE, SHIFT, newest, GRANTED, RELEASED, SEEN, TICKET, seldom, LIMIT, FRESH, DECLARED, KEEP, short = match(state or '',
    '^(%d+) (%d) (%d+) (%d+) (%d+) (%d+) (%d+) (%d+) ((%d+) (%d+) (%d+) (%d+))(.*)$')
  if not USED then
    -- Nothing is known of it.
    USED, SHIFT, newest, GRANTED, RELEASED, SEEN, TICKET, FRESH, KEEP = 0, 0, '0', 0, 0, 0, 0, 0, 0
  end
  used, line, shift = tonumber(USED), LINE == '1', tonumber(SHIFT)
  token, granted, released, ticket = tonumber(newest), tonumber(GRANTED), tonumber(RELEASED), tonumber(TICKET)
  limit, fresh, declared, keep = tonumber(LIMIT), tonumber(FRESH), tonumber(DECLARED), tonumber(KEEP)
  -- The last time that was seen; no token is older than the grant it was made for.
  seen = math.max(tonumber(SEEN), math.floor(token / 1000))
  short = short ~= '' and short
  before = granted
  changed, reaped, soonest, more, freed = false, {}, nil, false, {}
  -- A clock that is set back must not end anything early, nor make it last until the clock is where it was: time goes on from what was seen last,
  -- until the clock has caught up.
  now, NOWTEXT = NOW, sub(MICROS, 1, -4)
  if now >= seen then
    shift = 0
  else
    if now + shift < seen then
      shift = seen - now
      changed = true
    end
    now = now + shift
    NOWTEXT = now .. ''
  end
end

-- The keys of the name shall last for so long, at least.
local function lastFor(time)
  if time > keep then
    fresh = fresh + keep - time
    keep, seldom = time, nil
  end
end

local function count(what, n)
  call('HINCRBY', CFG, what, n)
  changed = true
end

local function tell(process, kind, id)
  call('PUBLISH', CHANNELS .. process, kind .. '\n' .. id)
end

-- The keys of what is held or waits go by themselves if nobody ever comes again.
local function lasts(...)
  for _, name in ipairs({...}) do
    call('PEXPIRE', name, keep)
  end
end

local function holder(id)
  local text = call('HGET', HELD, id)
  return text and cjson.decode(text)
end

-- The holders as the short form has them; nothing if they do not fit.
local function gathered()
  local ids = call('ZRANGE', HOLD, 0, -1, 'WITHSCORES')
  if #ids ~= 2 * used then
    return nil
  end
  local lines, slots, most = {}, {}, 0
  for i = 1, #ids, 2 do
    local meta = holder(ids[i])
    local slot = meta and tonumber(meta[2])
    if not slot or slot > SLICE or meta[11] then
      return nil
    end
    lines[#lines + 1] = table.concat({'\n' .. ids[i], meta[5], meta[10], meta[3], ids[i + 1], slot, meta[4], meta[7], meta[8], meta[9], plain(meta[6])}, ' ')
    for free = most + 1, slot do
      slots[free] = '0'
    end
    slots[slot], most = '1', math.max(most, slot)
  end
  return ' ' .. ids[2] .. ' ' .. table.concat(slots) .. table.concat(lines)
end

local function save()
  if not limit then
    return
  end
  if more then
    -- Whoever is next has no other to hear of it from: the caller is told to go on.
    tell(PROCESS, 'MORE', CFG)
  end
  local late = changed and fresh < now
  if late then
    fresh, seldom = now + HOUR, nil
  end
  seldom = seldom or limit .. ' ' .. math.max(0, fresh) .. ' ' .. declared .. ' ' .. keep
  -- Back to the short form: now and then, since that takes as long as a few hand-overs.
  local done, text = false, nil
  if not short and used > 0 and used <= HOLDERS and shift == 0 and (used >= limit or not line)
      and math.floor(granted / HOLDERS) ~= math.floor(before / HOLDERS) then
    done, text = pcall(gathered)
    short = done and text
  end
  local new = used .. (line and ' 1 ' or ' 0 ') .. (shift == 0 and '0' or shift) .. ' ' .. newest .. ' ' .. granted .. ' ' .. released .. ' '
    .. (changed and NOWTEXT or seen) .. ' ' .. ticket .. ' ' .. seldom .. (short or '')
  if new ~= state then
    call('HSET', CFG, 'state', new)
  end
  if late then
    call('PEXPIRE', CFG, keep + HOUR)
  end
  -- Last: see the end of this script.
  if done and text then
    call('DEL', HOLD, HELD, SLOT)
    return
  end
  for _, slot in ipairs(freed) do
    call('SETBIT', SLOT, slot - 1, 0)
  end
end

-- held: permits, slots, token, hard deadline (0: none), process, label, granted at, window, ttl that begins when it is claimed (0: none),
-- whether somebody has it (1) or has to claim it first (0), and, once it is revoked, the process that wants to hear when it is gone
local function hold(id, deadline, number, permits, slots, hard, process, label, from, window, later, claimed)
  call('ZADD', HOLD, deadline, id)
  call('HSET', HELD, id, '[' .. permits .. ',"' .. slots .. '","' .. number .. '","' .. hard .. '","' .. process .. '",'
    .. (label == '' and '""' or cjson.encode(label)) .. ',"' .. from .. '",' .. window .. ',' .. later .. ',' .. claimed .. ']')
end

local function highestFirst(one, other)
  return one > other
end

-- The lowest slots that are free, so many of them. Whoever asks for many must not stop the server: each costs the same, however many there are.
local function take(permits)
  if not freed.sorted then
    table.sort(freed, highestFirst)
    freed.sorted = true
  end
  local slots, free, from = {}, used == 0 and 0 or nil, 0
  for i = 1, permits do
    free = free or call('BITPOS', SLOT, 0, from)
    local slot = freed[#freed]
    if slot and slot <= free then
      freed[#freed] = nil
    else
      call('SETBIT', SLOT, free, 1)
      slot, from = free + 1, math.floor(free / 8)
      free = used == 0 and slot or nil
    end
    slots[i] = slot
  end
  return table.concat(slots, ',')
end

-- asked: by the operation itself; told: with its answer; else it has to be claimed. Times are texts.
local function grant(id, permits, window, ttl, process, label, how)
  local first = used == 0
  local slots = take(permits)
  token = math.max(token + 1, micros, now * 1000)
  newest = token == micros and MICROS or number(token)
  -- A process that has died in this moment is not waited for as long as one that has asked.
  local deadline = now + (how == 'asked' and window or math.min(tonumber(window), CLAIM))
  local hard, later, claimed = 0, 0, 1
  if how == 'claim' then
    -- Nobody has it yet whose time could begin.
    later, claimed = ttl, 0
  elseif ttl ~= '0' then
    hard = now + ttl
    deadline = math.min(deadline, hard)
  end
  hold(id, deadline, newest, permits, slots, hard, process, label, NOWTEXT, window, later, claimed)
  used = used + permits
  if first then
    lasts(HOLD, HELD, SLOT)
  end
  granted = granted + 1
  changed = true
  return {'G', newest, slots, hard == 0 and -1 or tonumber(ttl), limit}
end

local function drop(id, how, known)
  local meta = known or holder(id)
  call('ZREM', HOLD, id)
  if not meta then
    return
  end
  call('HDEL', HELD, id)
  used = used - meta[1]
  if meta[11] then
    how = 'revoked'
  end
  if how == 'released' then
    released = released + 1
    changed = true
  else
    count(how, 1)
  end
  if meta[11] then
    tell(meta[11], 'TAKEN', id)
  end
  freed.sorted = nil
  if meta[1] == 1 then
    freed[#freed + 1] = tonumber(meta[2])
  else
    for slot in string.gmatch(meta[2], '%d+') do
      freed[#freed + 1] = tonumber(slot)
    end
  end
  if used <= 0 then
    freed = {}
    call('DEL', SLOT)
  end
end

local function leave(id)
  call('HDEL', WMETA, id)
  changed = true
  return call('ZREM', WAIT, id)
end

-- wmeta: permits, window, ttl, process, label, entered at, until when its process is believed to be alive
local function pump()
  more = false
  for _ = 1, SLICE do
    if used >= limit then
      return
    end
    local id = call('ZRANGE', WAIT, 0, 0)[1]
    if not id then
      line = false
      return
    end
    local text = call('HGET', WMETA, id)
    local meta = text and cjson.decode(text)
    if not meta or meta[7] - now < 0 then
      leave(id)
    elseif meta[1] > limit then
      leave(id)
      tell(meta[4], 'REFUSED', id)
    elseif meta[1] <= limit - used then
      leave(id)
      if meta[4] == PROCESS then
        local given = grant(id, meta[1], meta[2], meta[3], meta[4], meta[5], 'told')
        told[#told + 1] = id .. ' ' .. newest .. ' ' .. given[3] .. ' ' .. limit
      else
        grant(id, meta[1], meta[2], meta[3], meta[4], meta[5], 'claim')
        tell(meta[4], 'GRANTED', id)
      end
    else
      return
    end
  end
  more = true
end

-- Those that are too large are refused wherever they stand.
local function refuse()
  local from = 0
  while true do
    local ids = call('ZRANGE', WAIT, from, from + SLICE - 1)
    if #ids == 0 then
      return
    end
    for _, id in ipairs(ids) do
      local meta = cjson.decode(call('HGET', WMETA, id) or '[0]')
      if meta[1] > limit then
        leave(id)
        tell(meta[4], 'REFUSED', id)
      else
        from = from + 1
      end
    end
  end
end

local OP, SIZE, BASE      -- the operation, how many arguments it has, and what they stand behind

-- What was written as a plain label.
local function shown(label)
  return (string.gsub(label, '%%(%x%x)', function(code) return string.char(tonumber(code, 16)) end))
end

-- Puts what the short form has where the long one has it. Where there is no room, one who asks is refused and all else is done.
local function spread()
  if OP ~= 'acquire' then
    -- Nobody has this id: but it is allowed without room, and then so is the rest.
    call('ZREM', HOLD, '')
  end
  for id, process, claimed, number, deadline, slot, hard, from, window, later, label in
      string.gmatch(short, '\n(%S+) (%S+) (%d) (%d+) (%d+) (%d+) (%d+) (%d+) (%d+) (%d+) (%S*)') do
    hold(id, deadline, number, 1, slot, hard, process, shown(label), from, window, later, claimed)
    call('SETBIT', SLOT, slot - 1, 1)
  end
  lasts(HOLD, HELD, SLOT)
  short = nil
end

local function reap()
  local first = call('ZRANGE', HOLD, 0, 0, 'WITHSCORES')[2]
  soonest = tonumber(first)
  if soonest and soonest > now then
    return
  end
  for _, id in ipairs(call('ZRANGEBYSCORE', HOLD, '-inf', now, 'LIMIT', 0, SLICE)) do
    drop(id, 'expired')
    reaped[id] = true
    changed = true
  end
  if used ~= 0 and call('EXISTS', HOLD) == 0 then
    -- Whatever went wrong, it is over.
    used, freed = 0, {}
    call('DEL', HELD, SLOT)
    changed = true
  end
end

-- How long until somebody else's permits may be free without anybody's doing.
local function untilNext()
  if more then
    return 0
  end
  soonest = soonest or tonumber(call('ZRANGE', HOLD, 0, 0, 'WITHSCORES')[2])
  return soonest and math.max(0, soonest - now) or -1
end

local function remaining(meta)
  local hard = tonumber(meta[4])
  return hard > 0 and hard - now or -1
end

-- Renews what is held, up to its hard deadline. What is revoked is not renewed.
local function renew(id, meta, window)
  if meta[10] == 0 then
    if meta[9] > 0 then
      meta[4] = now + meta[9] .. ''
    end
    meta[9], meta[10] = 0, 1
    call('HSET', HELD, id, cjson.encode(meta))
  end
  local deadline = now + window
  local hard = tonumber(meta[4])
  if hard > 0 and hard < deadline then
    deadline = hard
  end
  call('ZADD', HOLD, 'XX', deadline, id)
end

local function held(meta)
  return {'G', meta[3], meta[2], remaining(meta), limit}
end

local operations = {}

-- Keeps somebody who waits in line for as long as its window is.
local function stay(id, text, window)
  call('HSET', WMETA, id, match(text, '^(.*,)%d+%]$') .. now + window .. ']')
end

-- id, declared limit, window, ttl (0: none); then, as far as it differs from this: mode (wait; or try), label (none); and at last: permits (1),
-- policy (ERROR), how long the name is to be kept (a day)
function operations.acquire()
  local id, asked, window, ttl = ARGV[BASE + 1], tonumber(ARGV[BASE + 2]), ARGV[BASE + 3], ARGV[BASE + 4]
  local mode, label, permits, policy = 'wait', '', 1, 'ERROR'
  if SIZE > 4 then
    mode, label = ARGV[BASE + 5], ARGV[BASE + 6]
  end
  if SIZE > 6 then
    permits, policy = tonumber(ARGV[BASE + 7]), ARGV[BASE + 8]
  end
  local meta = holder(id)
  if meta and meta[11] then
    -- Nobody was told that it was granted: it is asked for anew.
    drop(id, 'revoked', meta)
    meta = nil
  end
  local bound = limit or asked
  if not meta then
    -- One who is refused changes nothing.
    if asked ~= bound and asked ~= declared then
      if policy == 'ERROR' then
        return {'M', limit}
      elseif policy == 'OVERWRITE' then
        bound = asked
      end
    end
    if permits > bound then
      return {'T', bound}
    end
  end
  lastFor(math.max(DAY, 3 * ttl, 3 * window, SIZE > 6 and tonumber(ARGV[BASE + 9]) or 0))
  changed = true
  if meta then
    renew(id, meta, window)
    return held(meta)
  end
  if bound ~= limit then
    local known = limit
    limit, declared, seldom = bound, bound, nil
    if known then
      refuse()
    end
  end
  pump()
  if granted ~= grants then
    meta = holder(id)
    if meta then
      renew(id, meta, window)
      return held(meta)
    end
  end
  local first = not line
  if first and permits <= limit - used then
    return grant(id, permits, window, ttl, PROCESS, label, 'asked')
  end
  if mode == 'try' then
    count('timedout', 1)
    return {'N'}
  end
  local place = not first and call('HGET', WMETA, id)
  if place then
    stay(id, place, window)
  else
    ticket = ticket + 1
    line = true
    call('ZADD', WAIT, ticket, id)
    call('HSET', WMETA, id, '[' .. permits .. ',"' .. window .. '","' .. ttl .. '","' .. PROCESS .. '",'
      .. (label == '' and '""' or cjson.encode(label)) .. ',"' .. NOWTEXT .. '",' .. now + window .. ']')
    -- Those who stood there may have left while nothing was free, which nobody has noted.
    if first or call('ZCARD', WAIT) == 1 then
      -- Not a set of few and short ones: see above.
      local long = string.rep('-', 65)
      call('ZADD', WAIT, 0, long)
      call('ZREM', WAIT, long)
      lasts(WAIT, WMETA)
    end
  end
  return untilNext()
end

-- id, window
function operations.claim()
  local id = ARGV[BASE + 1]
  local meta = holder(id)
  if not meta or meta[11] then
    return {'U'}
  end
  renew(id, meta, tonumber(ARGV[BASE + 2]))
  return held(meta)
end

-- how (bare: what waits stays; timedout: what waits is counted so), ids
function operations.release()
  local how = ARGV[BASE + 1]
  local results = {}
  for i = 2, SIZE do
    local id = ARGV[BASE + i]
    local meta = holder(id)
    if meta and meta[10] == 0 and how == 'bare' then
      -- Nobody has it yet.
      results[#results + 1] = 'UNKNOWN'
    elseif meta then
      drop(id, 'released', meta)
      results[#results + 1] = meta[11] and 'EXPIRED' or 'RELEASED'
      if meta[5] ~= PROCESS then
        tell(meta[5], 'GONE', id)
      end
    elseif how ~= 'bare' and leave(id) == 1 then
      results[#results + 1] = 'CANCELLED'
      if how == 'timedout' then
        count('timedout', 1)
      end
    elseif reaped[id] then
      results[#results + 1] = 'EXPIRED'
    else
      results[#results + 1] = 'UNKNOWN'
    end
  end
  if limit then
    pump()
  end
  return results
end

-- What is asked for seldom. To make a function costs something, which most calls need not pay for these.
local function seldomAsked()
  -- ids and windows, in turn. Answers for each: -4 it is revoked, -3 it waits, -2 it is lost, -1 it has no end, else how long it lasts
  function operations.beat()
    local results = {}
    for i = 1, SIZE, 2 do
      local id, window = ARGV[BASE + i], tonumber(ARGV[BASE + i + 1])
      local meta = holder(id)
      if meta and meta[11] then
        results[#results + 1] = -4
      elseif meta then
        renew(id, meta, window)
        results[#results + 1] = remaining(meta)
      else
        local place = call('HGET', WMETA, id)
        if place then
          stay(id, place, window)
        end
        results[#results + 1] = place and -3 or -2
      end
    end
    if limit then
      changed = true
      lasts(HOLD, HELD, SLOT, WAIT, WMETA)
      pump()
    end
    return results
  end

  -- id, ttl
  function operations.extend()
    local id, ttl = ARGV[BASE + 1], tonumber(ARGV[BASE + 2])
    local meta = holder(id)
    if not meta or meta[11] or tonumber(meta[4]) == 0 then
      return {'U'}
    end
    meta[4] = math.max(tonumber(meta[4]), now + ttl) .. ''
    lastFor(3 * ttl)
    changed = true
    call('HSET', HELD, id, cjson.encode(meta))
    renew(id, meta, meta[8])
    if meta[5] ~= PROCESS then
      -- Its holder would believe that it is over.
      tell(meta[5], 'EXTENDED', id)
    end
    return {'G', remaining(meta)}
  end

  -- id. Its holder says that its time is over: his clock is ahead by no more than a message needs
  function operations.expire()
    local id = ARGV[BASE + 1]
    local meta = holder(id)
    local hard = meta and tonumber(meta[4]) or 0
    if hard > 0 and hard - now < CLAIM then
      drop(id, 'expired', meta)
      pump()
    end
    return {'OK'}
  end

  -- new limit, declared limit, keep
  function operations.resize()
    lastFor(math.max(DAY, tonumber(ARGV[BASE + 3])))
    changed = true
    limit, seldom = tonumber(ARGV[BASE + 1]), nil
    declared = declared or tonumber(ARGV[BASE + 2])
    count('generation', 1)
    refuse()
    pump()
    return {'OK'}
  end

  -- id, whether its holder knows already (told) or is to be told (tell)
  function operations.revoke()
    local id = ARGV[BASE + 1]
    local meta = holder(id)
    if not meta or meta[10] == 0 then
      return {'U'}
    end
    if ARGV[BASE + 2] == 'told' then
      drop(id, 'revoked', meta)
      pump()
      return {'OK'}
    end
    -- It is not free before its holder has said that it knows, or its window is over.
    meta[11] = PROCESS
    call('HSET', HELD, id, cjson.encode(meta))
    tell(meta[5], 'LOST', id)
    return {'OK'}
  end

  local function details(name, names, from, to)
    local result = {}
    for _, id in ipairs(call('ZRANGE', names, from, to)) do
      result[#result + 1] = id
      result[#result + 1] = call('HGET', name, id) or ''
      result[#result + 1] = call('ZSCORE', names, id)
    end
    return result
  end

  -- first rank of the page, its size (0: only counts)
  function operations.inspect()
    if not limit then
      return {}
    end
    pump()
    local from, size = tonumber(ARGV[BASE + 1]), tonumber(ARGV[BASE + 2])
    local counts = call('HMGET', CFG, 'expired', 'revoked', 'timedout')
    counts = {granted, released, counts[1] or '0', counts[2] or '0', counts[3] or '0'}
    local entered = -1
    local head = call('ZRANGE', WAIT, 0, 0)[1]
    local text = head and call('HGET', WMETA, head)
    if text then
      entered = tonumber(cjson.decode(text)[6])
    end
    local result = {limit, used, call('ZCARD', HOLD), call('ZCARD', WAIT), now, entered, counts}
    if size > 0 then
      result[8] = details(HELD, HOLD, from, from + size - 1)
      result[9] = details(WMETA, WAIT, from, from + size - 1)
    end
    return result
  end
end

local looked              -- whether it is known whose time is over

local function run()
  grants = granted
  if short then
    spread()
  end
  if used ~= 0 and not looked then
    reap()
    looked = true
    if changed then
      pump()
    end
  end
  if not operations[OP] then
    seldomAsked()
  end
  return operations[OP]()
end

-- As it arrives at the caller's, after something in front that is the server's matter.
local function failure(why)
  return {'E', type(why) == 'table' and why.err or why}
end

-- While a slot moves to another node of a cluster, the server stops a script at a key that is not there, even one that the script itself has
-- just emptied. What was done until then stays done, so it is written down; whoever has asked is told, and asks again.
for _, part in ipairs(rest) do
  local first, last = part[3], part[3] + part[4] - 1
  load(part[1], part[5])
  looked = false
  BASE = part[2] - 1
  for i = first, last do
    OP, SIZE = ARGV[BASE + 1], tonumber(ARGV[BASE + 2])
    BASE = BASE + 2
    local done, answer = pcall(run)
    answers[i] = done and answer or failure(answer)
    BASE = BASE + SIZE
  end
  local saved, why = pcall(save)
  if not saved then
    for i = first, last do
      answers[i] = failure(why)
    end
  end
end
if #told > 0 then
  answers[index] = told
end
return answers

end

return others()
