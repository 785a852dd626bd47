// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

error TooBig(uint256 value, uint256 most);

interface ICallee {
    function work(uint256 x) external returns (uint256);
}

contract Callee is ICallee {
    function work(uint256 x) external pure returns (uint256) {
        if (x == 1) revert("one");
        if (x == 2) revert TooBig(x, 1);
        if (x == 3) assert(false);
        return x * 2;
    }
}

contract Flow {
    uint256 public total;
    uint256[] internal list;
    mapping(uint256 => uint256) public seen;
    event Done(uint256 indexed what, string why);

    function ternary(uint256 x) external pure returns (uint256) {
        uint256 y = x > 5
            ? x * 2
            : x + 1;
        return y > 10 ? (y > 12 ? 3 : 2) : 1;
    }

    function logic(uint256 a, uint256 b) external returns (bool ok) {
        if (a > 1 && b > 1) {
            total += 1;
        } else if (a == 0 || b == 0) {
            total += 2;
        } else {
            total += 3;
        }
        ok = (a > b && a != 7) || !(b == 3);
        return ok;
    }

    function loops(uint256 n) external returns (uint256 sum) {
        for (uint256 i = 0; i < n; i++) {
            if (i == 3) continue;
            if (i == 6) break;
            sum += i;
        }
        uint256 j = 0;
        while (true) {
            j++;
            if (j > n) {
                break;
            }
            if (j % 2 == 0) {
                continue;
            }
            sum += 100;
        }
        do {
            sum += 1;
            if (sum > 1000) {
                total = 7;
            }
        } while (sum < 20);
        for (;;) {
            sum++;
            if (sum % 10 == 0) return sum;
        }
    }

    function attempt(ICallee to, uint256 x) external returns (uint256 code) {
        try to.work(x) returns (uint256 answer) {
            code = answer;
        } catch Error(string memory reason) {
            emit Done(1, reason);
            code = 100;
        } catch Panic(uint256 panic) {
            code = 200 + panic;
        } catch (bytes memory low) {
            code = 300 + low.length;
        }
    }

    function create(bool fails) external returns (address made) {
        try new Fragile{salt: bytes32(uint256(1))}(fails) returns (Fragile f) {
            made = address(f);
        } catch {
            made = address(0);
        }
    }

    function checks(uint256 x) external {
        require(x != 1, "one is refused");
        require(
            x != 2,
            "two is refused, too"
        );
        require(x != 3, TooBig(x, 2));
        require(x != 4);
        assert(x != 5);
        if (x == 6) revert TooBig({value: x, most: 5});
        if (x == 7) {
            revert(
                "seven"
            );
        }
        seen[x] += 1;
        emit Done(
            x,
            "checked"
        );
    }

    function multi(uint256 a, uint256 b) external returns (uint256) {
        uint256 sum =
            a +
            b +
            this.helper(
                a,
                b
            );
        (uint256 p, uint256 q) = (
            a,
            b
        );
        list.push(p);
        list.push() = q;
        delete seen[a];
        return
            sum
            + list.length;
    }

    function helper(uint256 a, uint256 b) external pure returns (uint256) {
        unchecked {
            uint256 c = a - b;
            c--;
            return c;
        }
    }

    function empty() external {}

    function emptyInternal() internal pure {}

    function callsEmpty() external pure {
        emptyInternal();
    }

    function never(uint256 x) external returns (uint256) {
        if (x > 1) {
            total = x;
        } else {
            total = 1;
        }
        for (uint256 i; i < x; ++i) total += i;
        return total;
    }
}

contract Fragile {
    uint256 public immutable born;
    constructor(bool fails) {
        if (fails) {
            revert("born dead");
        }
        born = block.timestamp;
    }
}
