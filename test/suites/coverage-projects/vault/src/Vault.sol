// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

library Shares {
    struct Book {
        mapping(address => uint256) held;
        uint256 total;
    }

    function add(Book storage book, address who, uint256 n) internal {
        book.held[who] += n;
        book.total += n;
    }

    function take(Book storage book, address who, uint256 n) internal returns (bool) {
        if (book.held[who] < n) return false;
        book.held[who] -= n;
        book.total -= n;
        return true;
    }

    function clear(Book storage book, address who) internal {
        book.total -= book.held[who];
        delete book.held[who];
    }
}

contract Vault {
    using Shares for Shares.Book;

    Shares.Book internal book;
    uint256 private state;
    address public strategy;

    error Busy();
    error Limit(uint256 most);

    modifier guarded(uint256 most) {
        if (state == 1) revert Busy();
        if (msg.value > most) revert Limit(most);
        state = 1;
        _;
        state = 2;
    }

    function deposit() external payable guarded(1 ether) {
        book.add(msg.sender, msg.value);
    }

    function withdraw(uint256 n) external payable guarded(0) returns (bool done) {
        if (!book.take(msg.sender, n)) {
            return false;
        }
        (done, ) = msg.sender.call{value: n}("");
        if (!done) {
            revert("refused");
        }
    }

    function leave() external {
        book.clear(msg.sender);
    }

    function shares(address who) external view returns (uint256) {
        return book.held[who];
    }
}

contract Logic {
    uint256 public number;

    function setNumber(uint256 n) external returns (uint256) {
        number = n;
        return number * 2;
    }

    function fail() external pure {
        revert("always");
    }
}

contract Proxy {
    uint256 public number;
    address internal immutable logic;

    constructor(address to) {
        logic = to;
    }

    fallback() external payable {
        address to = logic;
        assembly {
            calldatacopy(0, 0, calldatasize())
            let ok := delegatecall(gas(), to, 0, calldatasize(), 0, 0)
            returndatacopy(0, 0, returndatasize())
            if iszero(ok) {
                revert(0, returndatasize())
            }
            return(0, returndatasize())
        }
    }
}

contract Factory {
    Proxy[] public made;

    function make(address logic, bytes32 salt) external returns (Proxy proxy) {
        proxy = new Proxy{salt: salt}(logic);
        made.push(proxy);
        if (made.length > 3) {
            made.pop();
        }
    }

    function tryMake(address logic, bytes32 salt) external returns (bool) {
        try new Proxy{salt: salt}(logic) returns (Proxy made_) {
            made.push(made_);
            return true;
        } catch (bytes memory) {
            return false;
        }
    }
}
